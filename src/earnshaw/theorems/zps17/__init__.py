"""The numbered results of zps17, one file each."""
