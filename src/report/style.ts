/**
 * The page's look. System fonts, tabular figures, two colours for the two phases and one for what
 * needs attention; both themes have a contrast of at least 4.5 for text.
 */
export const style = `
:root {
  color-scheme: light dark;
  --paper: #fff; --ink: #1b1f24; --muted: #5d6670; --rule: #e3e6ea; --shade: #f2f4f7;
  --prefill: #1f6fb2; --decode: #b3541e; --warn: #b42318; --good: #1a7f4b;
  --cost-kept: #2c7a5b; --cost-kept-preparation: #9ccbb6;
  --cost-warmup: #7a62a8; --cost-warmup-preparation: #c3b6dc;
  --cost-load: #6b7785; --cost-process-rest: #a4adb8; --cost-device-reads: #c3cad2;
  --cost-idle-wait: #d5dae0; --cost-harness: #3c4650; --cost-failed: #b42318;
  --cost-interrupted: #e08a80;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --paper: #14171a; --ink: #e4e7eb; --muted: #9aa4af; --rule: #2a3036; --shade: #1d2226;
    --prefill: #6cb2ea; --decode: #e99a68; --warn: #ff8f84; --good: #6fce9d;
    --cost-kept: #6cc7a1; --cost-kept-preparation: #37654f;
    --cost-warmup: #b3a0dd; --cost-warmup-preparation: #5c5078;
    --cost-load: #98a3af; --cost-process-rest: #66707b; --cost-device-reads: #4b545d;
    --cost-idle-wait: #3a4249; --cost-harness: #cfd5db; --cost-failed: #ff8f84;
    --cost-interrupted: #8c4b45;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 2.5rem 1.25rem 4rem; max-width: 72rem;
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif;
  color: var(--ink); background: var(--paper); font-variant-numeric: tabular-nums;
}
h1 { font-size: 1.75rem; line-height: 1.2; margin: .25rem 0 .75rem; letter-spacing: -.01em; }
h2 { font-size: 1.15rem; margin: 2.75rem 0 .75rem; padding-top: .75rem; border-top: 1px solid var(--rule); }
h3 { font-size: 1rem; margin: 1.5rem 0 .25rem; }
p, ul { max-width: 44rem; }
.kind { color: var(--muted); margin: 0; }
.question { font-size: 1.2rem; line-height: 1.4; margin: 0 0 1rem; }
.label { border-left: 4px solid var(--good); background: var(--shade); padding: .5rem .75rem; max-width: none; }
p.drift { max-width: none; }
.answer { font-size: 1.2rem; font-weight: 600; }
.warning { color: var(--warn); }
.words { white-space: normal; }
.words td { text-align: left; vertical-align: top; min-width: 6rem; }
.words th { text-align: left; vertical-align: top; }
.label.not-v1, .label.open, .marked { border-left-color: var(--warn); }
.facts { display: flex; flex-wrap: wrap; gap: .5rem 2.5rem; margin: 1.25rem 0 0; padding: 0; list-style: none; max-width: none; }
.facts b { display: block; font-size: 1.35rem; font-weight: 600; line-height: 1.2; }
.facts span { color: var(--muted); font-size: .875rem; }
dl { display: grid; grid-template-columns: minmax(9rem, max-content) 1fr; gap: .3rem 1.25rem; margin: 0; }
dt { color: var(--muted); }
dd { margin: 0; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: .8125rem; white-space: nowrap; line-height: 1.4; }
th, td { padding: .22rem .45rem; text-align: right; border-bottom: 1px solid var(--rule); }
th:first-child, td:first-child { text-align: left; padding-left: 0; position: sticky; left: 0; background: var(--paper); }
thead tr + tr th:first-child { text-align: right; position: static; padding-left: .45rem; }
th[scope=colgroup] { text-align: center; }
th { font-weight: 600; color: var(--muted); vertical-align: bottom; }
tbody th { font-weight: 400; color: var(--ink); }
caption { text-align: left; font-weight: 600; padding: 1rem 0 .25rem; }
.swatch { display: inline-block; width: .75em; height: .75em; margin-right: .5em; border-radius: 2px; print-color-adjust: exact; vertical-align: -.03em; }
.no, .failed { color: var(--warn); }
.yes { color: var(--good); }
.small { font-size: .8125rem; color: var(--muted); }
figure { margin: 1.75rem 0; break-inside: avoid; }
figcaption { font-size: .8125rem; color: var(--muted); max-width: 44rem; margin-top: .35rem; }
figcaption b { color: var(--ink); }
svg { display: block; max-width: 100%; height: auto; overflow: visible; }
svg text { white-space: pre; }
code, pre { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: .8125rem; }
pre { background: var(--shade); padding: .75rem 1rem; overflow-x: auto; }
.narrow { display: none; }
.caveats li { margin: .4rem 0; }
@media (max-width: 640px) {
  body { padding: 1.5rem 1rem 3rem; }
  dl { grid-template-columns: 1fr; gap: 0; }
  dd { margin-bottom: .5rem; }
  .wide { display: none; }
  .narrow { display: block; }
  .cost th { white-space: normal; }
}
@media print {
  body { padding: 0; max-width: none; font-size: 10pt; }
  table { font-size: 7.5pt; }
  th, td { padding: .2rem .3rem; }
  h2 { break-after: avoid; }
  .wide { display: block; }
  .narrow { display: none; }
}
`;
