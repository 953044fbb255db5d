"""Enumerations, as integers with names."""

import enum


class mjtState(enum.IntFlag):
    """Components of the state vector."""

    mjSTATE_TIME = 1 << 0
    mjSTATE_QPOS = 1 << 1
    mjSTATE_QVEL = 1 << 2
    mjSTATE_ACT = 1 << 3
    mjSTATE_HISTORY = 1 << 4
    mjSTATE_WARMSTART = 1 << 5
    mjSTATE_CTRL = 1 << 6
    mjSTATE_QFRC_APPLIED = 1 << 7
    mjSTATE_XFRC_APPLIED = 1 << 8
    mjSTATE_EQ_ACTIVE = 1 << 9
    mjSTATE_MOCAP_POS = 1 << 10
    mjSTATE_MOCAP_QUAT = 1 << 11
    mjSTATE_USERDATA = 1 << 12
    mjSTATE_PLUGIN = 1 << 13
    mjSTATE_PHYSICS = (1 << 1) | (1 << 2) | (1 << 3) | (1 << 4)
    mjSTATE_FULLPHYSICS = (1 << 0) | (1 << 1) | (1 << 2) | (1 << 3) | (1 << 4) | (1 << 13)
    mjSTATE_USER = sum(1 << i for i in range(6, 13))
    mjSTATE_INTEGRATION = (1 << 14) - 1
