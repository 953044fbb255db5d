//! Removal of box–box contacts that lie outside the boxes or repeat another.

use condyle_math::vec3;

use crate::{ContactBuffer, ContactPoint, MAX_CONTACTS_PER_PAIR, Pose, Size};

/// Width of the zone around a surface in which a contact counts as neither inside nor outside: one percent of the size.
const ZONE_RATIO: f64 = 1.01;

/// Where a point lies relative to a box.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Inside,
    Zone,
    Outside,
}

/// Drop contacts from index `first` on that are outside one box and not inside the other, and all but the last of equal positions.
pub(super) fn drop_stray_and_repeated(
    size1: &Size,
    pose1: &Pose,
    size2: &Size,
    pose2: &Pose,
    margin: f64,
    first: usize,
    out: &mut ContactBuffer,
) {
    let grown1 = size1.map(|half| half + margin);
    let grown2 = size2.map(|half| half + margin);
    let contacts = &mut out.as_mut_slice()[first..];

    let mut keep = [false; MAX_CONTACTS_PER_PAIR];
    for (keep, contact) in keep.iter_mut().zip(contacts.iter()) {
        let place1 = place(contact, pose1, &grown1);
        let place2 = place(contact, pose2, &grown2);
        *keep = !((place1 == Place::Outside && place2 != Place::Inside)
            || (place2 == Place::Outside && place1 != Place::Inside));
    }
    for i in 0..contacts.len() {
        let repeated_later =
            (i + 1..contacts.len()).any(|j| keep[j] && contacts[i].position == contacts[j].position);
        if keep[i] && repeated_later {
            keep[i] = false;
        }
    }

    let mut kept = 0;
    for i in 0..contacts.len() {
        if keep[i] {
            contacts[kept] = contacts[i];
            kept += 1;
        }
    }
    out.truncate(first + kept);
}

fn place(contact: &ContactPoint, pose: &Pose, half: &Size) -> Place {
    let p = pose.to_local(contact.position);
    let outer = vec3::scale(*half, ZONE_RATIO);
    if (0..3).any(|k| p[k] > outer[k] || p[k] < -outer[k]) {
        return Place::Outside;
    }
    let inner = half.map(|half| half / ZONE_RATIO);
    if (0..3).all(|k| p[k] < inner[k] && p[k] > -inner[k]) { Place::Inside } else { Place::Zone }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contact(distance: f64, position: [f64; 3]) -> ContactPoint {
        ContactPoint::new(distance, position, [0.0, 0.0, 1.0])
    }

    #[test]
    fn the_last_of_repeated_contacts_stays() {
        let mut out = ContactBuffer::new();
        out.push(contact(1.0, [0.5, 0.0, 0.0]));
        out.push(contact(2.0, [0.25, 0.0, 0.0]));
        out.push(contact(3.0, [0.5, 0.0, 0.0]));
        drop_stray_and_repeated(&[1.0; 3], &Pose::IDENTITY, &[1.0; 3], &Pose::IDENTITY, 0.0, 0, &mut out);
        let distances: Vec<_> = out.as_slice().iter().map(|c| c.distance).collect();
        assert_eq!(distances, [2.0, 3.0]);
    }

    #[test]
    fn contacts_outside_both_boxes_go_and_those_deep_in_one_stay() {
        let mut out = ContactBuffer::new();
        out.push(contact(0.0, [1.02, 0.0, 0.0]));
        out.push(contact(0.0, [1.005, 0.0, 0.0]));
        let far = Pose { position: [1.0, 0.0, 0.0], ..Pose::IDENTITY };
        drop_stray_and_repeated(&[1.0; 3], &Pose::IDENTITY, &[1.0; 3], &Pose::IDENTITY, 0.0, 0, &mut out);
        assert_eq!(out.len(), 1);
        out.push(contact(0.0, [1.5, 0.0, 0.0]));
        drop_stray_and_repeated(&[1.0; 3], &Pose::IDENTITY, &[1.0; 3], &far, 0.0, 0, &mut out);
        assert_eq!(out.len(), 2);
    }
}
