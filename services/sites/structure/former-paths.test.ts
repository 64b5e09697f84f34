import { type FormerPath, formerAfter, formerAt, placesOf } from './former-paths.js';
import { addSection, removeSection, renameSection, setDefaultSection } from './rules.js';
import { emptyStructure, type Structure } from './structure.js';

function threeSections(): Structure {
  const structure = emptyStructure();
  for (const id of ['a', 'b', 'c']) {
    const siteSpace = { id: `${id}1`, space: id, path: 'v1' };
    addSection(structure, { id, slug: id, siteSpace }, { id: 'wrap', slug: 'wrap' });
  }
  return structure;
}

/** Where parts were before, after a change. */
function afterChange(former: FormerPath[], structure: Structure, change: (structure: Structure) => void): FormerPath[] {
  const before = placesOf(structure);
  change(structure);
  return formerAfter(former, before, placesOf(structure));
}

describe('former paths', () => {
  it('contain each old path once, the latest first, and none that is used again', () => {
    const structure = threeSections();
    let former = afterChange([], structure, (it) => renameSection(it, 'a', 'x'));
    expect(former).toEqual([{ in: null, path: 'a', id: 'a' }]);
    former = afterChange(former, structure, (it) => renameSection(it, 'a', 'y'));
    expect(former.map(({ path }) => path)).toEqual(['x', 'a']);
    former = afterChange(former, structure, (it) => renameSection(it, 'b', 'X'));
    expect(formerAt(former, null, 'X')).toEqual(['a']);
    former = afterChange(former, structure, (it) => renameSection(it, 'a', 'a'));
    expect(former.map(({ path }) => path)).toEqual(['y', 'b', 'x']);
  });

  it('contain former defaults, and nothing of removed parts', () => {
    const structure = threeSections();
    let former = afterChange([], structure, (it) => setDefaultSection(it, 'b'));
    expect(formerAt(former, null, '')).toEqual(['a']);
    former = afterChange(former, structure, (it) => setDefaultSection(it, 'c'));
    expect(formerAt(former, null, '')).toEqual(['b', 'a']);
    former = afterChange(former, structure, (it) => removeSection(it, 'b'));
    expect(formerAt(former, null, '')).toEqual(['a']);
  });

  it('are limited in number', () => {
    const structure = threeSections();
    let former: FormerPath[] = [];
    for (let at = 0; at < 600; at++) former = afterChange(former, structure, (it) => renameSection(it, 'a', `p${at}`));
    expect([former.length, former[0]?.path]).toEqual([500, 'p598']);
  });
});
