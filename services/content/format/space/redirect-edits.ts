import { isMap, isScalar } from 'yaml';
import { fileFinder, joinPath } from './paths.js';
import { readYaml } from './yaml.js';

interface RenamedFiles {
  /** The folder of the space. */
  root: string;
  /** New paths of files, by the paths that they had. */
  renamed: ReadonlyMap<string, string>;
}

/** A `.gitbook.yaml` whose redirects to renamed files lead to their new names; no other byte changes. */
export function withRedirects(text: string, { root, renamed }: RenamedFiles): string {
  const { document } = renamed.size > 0 ? readYaml(text) : {};
  const redirects = isMap(document?.contents) ? document.contents.get('redirects', true) : undefined;
  if (!isMap(redirects)) return text;
  const find = fileFinder(new Set(renamed.keys()));
  let [made, done] = ['', 0];
  for (const { value } of redirects.items) {
    if (!isScalar(value) || typeof value.value !== 'string' || !value.range) continue;
    const [target = '', anchor] = value.value.split('#', 2);
    const path = joinPath(root, target.trim());
    const now = path === undefined ? undefined : renamed.get(find(path) ?? '');
    if (now === undefined) continue;
    const [from, to] = value.range;
    const inRoot = root === '' ? now : now.slice(root.length + 1);
    made += text.slice(done, from) + scalarText(inRoot + (anchor === undefined ? '' : `#${anchor}`), text[from]);
    done = to;
  }
  return made + text.slice(done);
}

/** In the quotes that were there, if any; else in some where the text needs them. */
function scalarText(value: string, before: string | undefined): string {
  if (before === "'") return `'${value.replaceAll("'", "''")}'`;
  return before !== '"' && /^[\p{L}\p{N}_./][\p{L}\p{N}_./-]*$/u.test(value) ? value : JSON.stringify(value);
}
