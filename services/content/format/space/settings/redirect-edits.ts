import { isMap, isScalar } from 'yaml';
import { type Replacement, withReplacements } from '../../../../../shared/text/replacements.js';
import { joinPath, newFileFinder } from '../paths.js';
import { readYaml } from '../yaml.js';

interface RenamedFiles {
  /** The folder of the space. */
  root: string;
  /** New paths of files, by the paths that they had. */
  renamed: ReadonlyMap<string, string>;
}

/** A `.gitbook.yaml` whose redirects to renamed files lead to their new names; no other byte changes. */
export function renameRedirectTargets(text: string, { root, renamed }: RenamedFiles): string {
  const { document } = renamed.size > 0 ? readYaml(text) : {};
  const redirects = isMap(document?.contents) ? document.contents.get('redirects', true) : undefined;
  if (!isMap(redirects)) return text;
  const find = newFileFinder(new Set(renamed.keys()));
  const replacements: Replacement[] = [];
  for (const { value } of redirects.items) {
    if (!isScalar(value) || typeof value.value !== 'string' || !value.range) continue;
    const [file = '', anchor] = value.value.split('#', 2);
    const path = joinPath(root, file.trim());
    const now = path === undefined ? undefined : renamed.get(find(path) ?? '');
    if (now === undefined) continue;
    const [from, to] = value.range;
    const inRoot = root === '' ? now : now.slice(root.length + 1);
    const target = inRoot + (anchor === undefined ? '' : `#${anchor}`);
    replacements.push({ from, to, text: quoteAsBefore(target, text[from]) });
  }
  return withReplacements(text, replacements);
}

/** In the quotes that were there, if any; else in some where the text needs them. */
function quoteAsBefore(value: string, before: string | undefined): string {
  if (before === "'") return `'${value.replaceAll("'", "''")}'`;
  return before !== '"' && /^[\p{L}\p{N}_./][\p{L}\p{N}_./-]*$/u.test(value) ? value : JSON.stringify(value);
}
