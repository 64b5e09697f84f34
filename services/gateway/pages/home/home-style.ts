/** The style of the first page: of its own, because nothing of a site may be there. The colors are those that sites start with. */
export const homeStyle = `
:root {
  color-scheme: light dark;
  --paper: light-dark(#fff, #0f1013); --soft: light-dark(#f6f8fc, #17191c); --raised: light-dark(#fff, #17191c);
  --text: light-dark(#202225, #e6e8ec); --quiet: light-dark(#515256, #b2b4b8);
  --line: light-dark(#e2e4e9, #2c2e31); --primary: light-dark(#1d4ed8, #60a5fa); --tint: light-dark(#e9f0ff, #14273e);
  --solid: light-dark(#1d4ed8, #60a5fa); --on-solid: light-dark(#fff, #000); --glow: light-dark(#dbe7ff, #15233c);
  --mono: ui-monospace, "Cascadia Code", Menlo, Consolas, monospace;
}
*, ::before, ::after { box-sizing: border-box }
html { -webkit-text-size-adjust: none; text-size-adjust: none; overflow-wrap: break-word }
body { margin: 0; font: 1rem/1.6 system-ui, "Segoe UI", "Noto Sans", sans-serif; color: var(--text); background: var(--paper) }
a { color: var(--primary); text-underline-offset: .2em }
:focus-visible { outline: 2px solid var(--primary); outline-offset: 3px; border-radius: .25rem }
svg { display: block; fill: none; stroke: currentColor; stroke-width: 1.75; stroke-linecap: round; stroke-linejoin: round }
h1, h2, h3, p, ul { margin: 0 }
h1, h2, h3 { line-height: 1.2; letter-spacing: -.015em; text-wrap: balance }
ul { padding: 0; list-style: none }
.wide { width: 100%; max-width: 68rem; margin-inline: auto; padding-inline: clamp(1.25rem, 4vw, 2.5rem) }
.skip { position: absolute; inset-block-start: -10rem; inset-inline-start: 1rem; padding: .5rem 1rem; background: var(--paper); z-index: 1 }
.skip:focus { inset-block-start: .5rem }

.hero { background: radial-gradient(75rem 34rem at 80% -14rem, var(--glow), transparent 80%); border-block-end: 1px solid var(--line) }
.hero .wide { padding-block: clamp(2.5rem, 7vw, 5rem) clamp(2.5rem, 6vw, 4.5rem) }
.art { display: none; flex: none; width: 25rem; stroke: none; border-radius: 1rem; filter: drop-shadow(0 18px 32px light-dark(#1018281f, #0009)) }
.art .sheet { fill: var(--paper); stroke: var(--line); stroke-width: 1.5 }
.art .edge { stroke: var(--line); stroke-width: 1.5 }
.art .lines { stroke: var(--line); stroke-width: 8 }
.art .faint { fill: light-dark(#c9ccd3, #45474c) }
.art .bold { fill: light-dark(#41444a, #cdd0d6) }
.art .well { fill: var(--soft); stroke: var(--line) }
.art .tint { fill: var(--tint) }
.art .spot { fill: var(--primary) }
[dir="rtl"] .art { scale: -1 1 }
@media (min-width: 62rem) { .hero .wide { display: flex; align-items: center; justify-content: space-between; gap: 3rem } .art { display: block } }
.brand { display: flex; align-items: center; gap: .75rem }
.brand svg { flex: none; width: 2.75rem; height: 2.75rem; stroke: none }
.brand h1 { font-size: 1.5rem; font-weight: 700 }
.version { padding: .1rem .6rem; font-size: .8125rem; color: var(--quiet); border: 1px solid var(--line); border-radius: 9rem; background: var(--paper) }
.tagline { max-width: 38rem; margin-block: 1.75rem .75rem; font-size: clamp(1.75rem, 4.6vw, 2.75rem); font-weight: 700; line-height: 1.15; letter-spacing: -.025em; text-wrap: balance }
.lead { max-width: 40rem; font-size: 1.125rem; color: var(--quiet); text-wrap: pretty }
.actions { display: flex; flex-wrap: wrap; gap: .75rem; margin-block-start: 2rem }
.button { display: inline-flex; align-items: center; gap: .5rem; min-height: 2.75rem; padding: .4rem 1.15rem; font-weight: 600; color: var(--text); text-decoration: none; background: var(--paper); border: 1px solid var(--line); border-radius: .625rem }
.button:hover { border-color: var(--primary) }
.button.main { color: var(--on-solid); background: var(--solid); border-color: transparent }
.button.main:hover { background: color-mix(in srgb, var(--solid) 88%, var(--text)) }

section { padding-block: clamp(2.25rem, 5vw, 3.5rem) 0 }
h2 { font-size: 1.375rem }
h2 + p { margin-block-start: .35rem; color: var(--quiet) }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 18.5rem), 1fr)); gap: 1rem; margin-block-start: 1.25rem }
.card { position: relative; display: flex; gap: 1rem; height: 100%; padding: 1.15rem 1.25rem; background: var(--raised); border: 1px solid var(--line); border-radius: .875rem; transition: border-color .15s, box-shadow .15s, translate .15s }
.card:hover, .card:focus-within { border-color: var(--primary); box-shadow: 0 8px 24px -12px light-dark(#1018284d, #000) }
.card > div { min-width: 0 }
.card h3 { font-size: 1.0625rem; font-weight: 600 }
.card a { color: inherit; text-decoration: none }
.card a::after { content: ""; position: absolute; inset: 0; border-radius: inherit }
.card:hover a, .card a:focus-visible { color: var(--primary) }
.card a:focus-visible { outline: none }
.card:has(a:focus-visible) { outline: 2px solid var(--primary); outline-offset: 3px }
.card h3 + p { margin-block-start: .15rem }
.card p { line-height: 1.5; font-size: .9375rem; color: var(--quiet) }
.card .place { margin-block-start: .4rem; font: .8125rem/1.4 var(--mono); overflow-wrap: anywhere; direction: ltr; text-align: start }
.tile { flex: none; display: grid; place-items: center; width: 2.75rem; height: 2.75rem; font-size: 1.25rem; font-weight: 700; line-height: 1; color: var(--primary); background: var(--tint); border-radius: .7rem }
.tile svg { width: 1.375rem; height: 1.375rem }
.note { margin-block-start: 1rem; color: var(--quiet) }
.empty { margin-block-start: 1.25rem; padding: 1.5rem; color: var(--quiet); background: var(--soft); border: 1px dashed var(--line); border-radius: .875rem }

.ways { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); gap: 1rem; margin-block-start: 1.25rem }
.way { min-width: 0; padding: 1.35rem 1.5rem; background: var(--soft); border: 1px solid var(--line); border-radius: .875rem }
.way h3 { font-size: 1.0625rem; font-weight: 600 }
.way p { margin-block-start: .4rem; color: var(--quiet); font-size: .9375rem }
.way .button { margin-block-start: 1rem }
pre { margin: .85rem 0 0; padding: .85rem 1rem; overflow-x: auto; font: .8125rem/1.65 var(--mono); color: var(--text); background: var(--paper); border: 1px solid var(--line); border-radius: .625rem; direction: ltr; text-align: left }
code { font-family: var(--mono); font-size: .875em; direction: ltr; unicode-bidi: isolate }
pre code { font-size: inherit }
.facts { display: flex; flex-wrap: wrap; gap: .4rem 1.5rem; margin-block-start: clamp(2.5rem, 6vw, 4rem); padding-block: 1.5rem 2.5rem; font-size: .9375rem; border-block-start: 1px solid var(--line) }
.facts a { color: var(--quiet) }
.facts a:hover { color: var(--primary) }
@media (prefers-reduced-motion: reduce) { .card { transition: none } }
@media print { .hero { background: none } .card, .way, section { break-inside: avoid } }
@media (forced-colors: active) { .card:hover { border-color: Highlight } }
`;
