//! General convex collision: support functions, GJK, EPA, multiple contacts and MPR.
