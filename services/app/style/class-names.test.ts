import { readFileSync } from 'node:fs';
import { packageFile } from '../../../shared/process/package-root.js';
import { appSources } from './app-assets.js';

/** The classes that the selectors of a stylesheet name. */
function classesIn(path: string): string[] {
  const css = readFileSync(packageFile(path), 'utf8').replace(/\/\*[\s\S]*?\*\/|"[^"]*"/g, '');
  const selectors = css.match(/[^{};]+(?=\{)/g)?.filter((selector) => !selector.trim().startsWith('@')) ?? [];
  return selectors.flatMap((selector) => selector.match(/(?<=\.)[a-zA-Z][\w-]*/g) ?? []);
}

/** Classes that the sheets of the app share with those of pages, with the reason. */
const shared: Record<string, string> = {
  button: 'the button of the reader, in further kinds and places',
  heading: 'comments.css keeps the gaps around the headings of pages whose blocks have links to comments',
};

it('a class of the app is none of the pages that it shows, since its sheets win over theirs', () => {
  const pathsIn = (folder: string) =>
    appSources.sheets.map(({ path }) => path).filter((path) => path.startsWith(`services/${folder}/`));
  const ofPages = new Set(
    pathsIn('reader')
      .filter((path) => /(content|openapi)\.css$/.test(path))
      .flatMap(classesIn),
  );
  expect(ofPages.size).toBeGreaterThan(100);
  const both = pathsIn('app').flatMap((path) => [...new Set(classesIn(path))].filter((name) => ofPages.has(name)));
  expect([...new Set(both)].sort()).toEqual(Object.keys(shared));
});
