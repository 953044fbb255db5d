// Models made for tests.

/** Ten arms of ten links, each with a mesh of its own. */
export function hundred() {
  const meshes = [], arms = [];
  for (let k = 0; k < 100; k++) {
    const vertices = [];
    for (let ring = 0; ring < 8; ring++) {
      for (let slice = 0; slice < 16; slice++) {
        const angle = (2 * Math.PI * slice) / 16, radius = 0.03 + 0.01 * Math.sin(ring + k);
        vertices.push((radius * Math.cos(angle)).toFixed(4), (radius * Math.sin(angle)).toFixed(4), (0.015 * ring).toFixed(4));
      }
    }
    meshes.push(`<mesh name="m${k}" vertex="${vertices.join(' ')}"/>`);
  }
  for (let arm = 0; arm < 10; arm++) {
    let open = `<body pos="${(0.4 * (arm % 5) - 0.8).toFixed(2)} ${arm < 5 ? -0.3 : 0.3} 1.4">`;
    for (let link = 0; link < 10; link++) {
      open += `${link > 0 ? '<body pos="0 0 0.11">' : ''}<joint axis="${link % 2} ${1 - (link % 2)} 0" damping="0.05" stiffness="1"/><geom type="mesh" mesh="m${10 * arm + link}" contype="0" conaffinity="0" rgba="${(0.3 + 0.07 * link).toFixed(2)} 0.5 ${(0.9 - 0.07 * arm).toFixed(2)} 1"/>`;
    }
    arms.push(open + '</body>'.repeat(10));
  }
  return `<mujoco><asset>${meshes.join('')}</asset><worldbody><light pos="0 0 4" castshadow="true"/><geom type="plane" size="3 3 0.1"/>${arms.join('')}</worldbody></mujoco>`;
}

/** A chain of links with a motor each. */
export function links(count) {
  const name = (k) => `joint_${String(k).padStart(2, '0')}`;
  let open = '';
  for (let k = 0; k < count; k++) {
    open += `<body name="link_${k}" pos="${k > 0 ? '0 0 -0.08' : '0 0 3.4'}"><joint name="${name(k)}" axis="${k % 2} ${1 - (k % 2)} 0" damping="0.02" range="-1 1" limited="true"/><geom type="capsule" fromto="0 0 0 0 0 -0.08" size="0.02" contype="0" conaffinity="0"/>`;
  }
  const motors = Array.from({ length: count }, (_, k) => `<motor name="motor_${k}" joint="${name(k)}" ctrlrange="-1 1" ctrllimited="true" gear="0.1"/>`);
  return `<mujoco><compiler angle="radian"/><worldbody><light pos="0 0 4"/><geom type="plane" size="3 3 0.1"/>${open}${'</body>'.repeat(count)}</worldbody><actuator>${motors.join('')}</actuator></mujoco>`;
}
