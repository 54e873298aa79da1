"""The command line: one file per command, and one place where errors become exit codes."""
