// Arithmatex leaves mathematics as \(…\) and \[…\]; KaTeX, kept in this site, draws it.
document.addEventListener("DOMContentLoaded", () => {
  for (const block of document.querySelectorAll(".arithmatex")) {
    renderMathInElement(block, {
      delimiters: [
        { left: "\\[", right: "\\]", display: true },
        { left: "\\(", right: "\\)", display: false },
      ],
      throwOnError: false,
    });
  }
});
