"""The numbered results of prsz18, one file each."""
