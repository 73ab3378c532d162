"""Running jobs: in this process, over processes or on a cluster; each row is stored as it comes in."""
