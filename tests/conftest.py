"""Every test runs with the package's shape annotations checked by beartype."""

from jaxtyping import install_import_hook

install_import_hook("earnshaw", "beartype.beartype")
