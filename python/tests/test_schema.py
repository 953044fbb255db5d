"""The table of elements and attributes is that of the reference."""

import condyle
import mujoco


def test_schema_is_that_of_the_reference():
    assert condyle.mj_printSchema(False, False).split() == mujoco.mj_printSchema(False, False).split()


def test_schema_has_the_same_lines():
    ours, theirs = (text.splitlines() for text in (condyle.mj_printSchema(False, False), mujoco.mj_printSchema(False, False)))
    assert [line.rstrip() for line in ours if line.strip()] == [line.rstrip() for line in theirs if line.strip()]
