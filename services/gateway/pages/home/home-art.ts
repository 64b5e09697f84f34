const icons = {
  book: 'M4 5.5c3-.8 6-.4 8 1.2v12.5c-2-1.6-5-2-8-1.2zm16 0c-3-.8-6-.4-8 1.2v12.5c2-1.6 5-2 8-1.2z',
  tour: 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zm3.5 5-2 5-5 2 2-5z',
  code: 'm8.5 8-4 4 4 4m7-8 4 4-4 4m-2-10-3 12',
  file: 'M6.5 3.5h7l4 4v13h-11zm7 0v4h4',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  pulse: 'M3.5 12h4l2.5-6 4 12 2.5-6h4',
};

export type Icon = keyof typeof icons;

/** A picture beside a name, in the color of its text. */
export const iconOf = (name: Icon): string =>
  `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${icons[name]}"/></svg>`;

export const logo = `<svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="7" fill="#1d4ed8"/><path fill="#fff" d="M15 9.5C13 8 10.3 7.5 7 7.5v14.5c3.3 0 6 .5 8 2zm2 0c2-1.5 4.7-2 8-2v14.5c-3.3 0-6 .5-8 2z"/></svg>`;

/** A site as a sketch: contents, a page, what is on it. */
export const sketchOfSite = `<svg class="art" viewBox="0 0 400 280" aria-hidden="true">
<rect class="sheet" x="1" y="1" width="398" height="278" rx="16"/>
<path class="edge" d="M1 45h398M121 45v234"/>
<circle class="spot" cx="24" cy="23" r="7"/><rect class="faint" x="40" y="18" width="58" height="10" rx="5"/>
<rect class="well" x="150" y="13" width="130" height="20" rx="10"/>
<rect class="tint" x="14" y="62" width="94" height="22" rx="7"/><rect class="spot" x="24" y="69" width="52" height="8" rx="4"/>
<path class="lines" d="M28 104h58M28 126h40M28 148h64M28 170h46M28 192h56M28 214h36"/>
<rect class="bold" x="146" y="68" width="142" height="16" rx="8"/>
<path class="lines" d="M150 106h216M150 124h196M150 142h120"/>
<rect class="tint" x="146" y="162" width="226" height="44" rx="9"/><rect class="spot" x="160" y="176" width="16" height="16" rx="8"/><path class="lines" d="M190 180h150M190 192h96"/>
<path class="lines" d="M150 230h206M150 248h160"/>
</svg>`;
