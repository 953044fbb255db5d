//! Mesh, texture, height field and skin readers, convex hulls, mesh inertia, bounding volume trees.
