//! The look of the report: one column beside its contents on a screen, light or dark; on paper without the contents.

/// The style sheet.
pub(super) const SHEET: &str = "\
:root{--paper:#fff;--ink:#18212b;--muted:#55606d;--line:#dfe4ea;--wash:#f5f7fa;--scope:#6a3fa0;--condition:#a04a06;\
--component:#18212b;--timing:#0a6b52;--response:#1d5bb8;--error:#b3261e;--warning:#8a5a00}
@media (prefers-color-scheme:dark){:root{--paper:#12171d;--ink:#e4e9ef;--muted:#9aa6b4;--line:#2c3641;--wash:#1a2129;\
--scope:#c3a2f2;--condition:#f2a86b;--component:#e4e9ef;--timing:#6fd3b5;--response:#86b4f5;--error:#ff8a80;--warning:#f0c060}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;\
display:grid;grid-template-columns:16rem minmax(0,1fr)}
nav{position:sticky;top:0;align-self:start;height:100vh;overflow:auto;padding:1.5rem 1rem;border-right:1px solid var(--line);font-size:.85rem}
nav ul{list-style:none;margin:.25rem 0;padding-left:.75rem}
main{max-width:64rem;padding:1.5rem 2.5rem 6rem}
a{color:inherit;text-decoration-color:var(--muted);text-underline-offset:.15em}
h1,h2,h3{line-height:1.25}
h2{margin-top:3rem;padding-bottom:.25rem;border-bottom:2px solid var(--line)}
code,.sentence{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace}
code{font-size:.875em;overflow-wrap:anywhere}
table{border-collapse:collapse;margin:1rem 0;font-size:.9rem}
th,td{border:1px solid var(--line);padding:.25rem .6rem;text-align:left;vertical-align:top}
th{background:var(--wash);font-weight:600}
.summary{display:flex;flex-wrap:wrap;gap:2rem;margin:1rem 0}
.summary div{display:flex;flex-direction:column}
.summary dd{margin:0;font-size:1.6rem;font-weight:600}
.summary dt{color:var(--muted);font-size:.85rem}
article{margin:2rem 0;padding-top:.5rem}
article h3{margin-bottom:.5rem}
.id{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
.status{font-size:.75rem;font-weight:400;border:1px solid var(--line);border-radius:1rem;padding:.1rem .6rem;color:var(--muted);vertical-align:middle}
.rationale{white-space:pre-line;color:var(--muted)}
.sentence{background:var(--wash);border-left:3px solid var(--response);padding:.75rem 1rem;white-space:pre-wrap;overflow-wrap:anywhere}
.sentence .scope{color:var(--scope)}
.sentence .condition{color:var(--condition)}
.sentence .component{color:var(--component);font-weight:700}
.sentence .timing{color:var(--timing);font-weight:600}
.sentence .response{color:var(--response)}
.drawing{overflow-x:auto}
.drawing svg{max-width:100%;height:auto}
.formulas th{white-space:nowrap}
.finding{border-left:3px solid var(--warning);padding-left:.75rem}
.finding.error{border-color:var(--error)}
.error strong,span.error{color:var(--error)}
.warning strong,span.warning{color:var(--warning)}
.links,.legend,.attributes{font-size:.9rem;color:var(--muted)}
.attributes{display:grid;grid-template-columns:max-content 1fr;gap:.1rem 1rem}
.attributes dd{margin:0;white-space:pre-line}
.inferred{font-style:italic;color:var(--muted)}
.matrix th span{writing-mode:vertical-rl;font-weight:400}
.matrix td{text-align:center}
@media (max-width:60rem){body{display:block}nav{position:static;height:auto;border:0}}
@media print{body{display:block;font-size:10pt}nav{display:none}main{max-width:none;padding:0}article,table tr{break-inside:avoid}\
h2,h3{break-after:avoid}a{text-decoration:none}:root{--paper:#fff;--ink:#000;--muted:#444;--line:#bbb;--wash:#f4f4f4}}
";
