import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { configTable, envExample } from '../shared/config-docs.js';
import { packageFile } from '../shared/package-root.js';
import { accessTable } from './gateway/access-table.js';
import { operations } from './gateway/contracts.js';

/** What of the handbook is made from the code: the files as they are to be. */
export function generatedFiles(): { path: string; content: string }[] {
  const page = (name: string, section: string, table: string) => {
    const path = packageFile(name);
    return { path, content: withSection(readFileSync(path, 'utf8'), section, table) };
  };
  return [
    { path: packageFile('.env.example'), content: envExample() },
    page('docs/operations/configuration.md', 'settings', configTable()),
    page('docs/api/access.md', 'access', accessTable(operations)),
  ];
}

/** A page with what stands between the marks of a section made anew. */
function withSection(page: string, section: string, content: string): string {
  const [begin, end] = [`<!-- ${section} -->`, `<!-- /${section} -->`];
  const [before = '', rest = ''] = page.split(begin);
  return `${before}${begin}\n\n${content}\n${end}${rest.split(end)[1] ?? ''}`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  for (const { path, content } of generatedFiles()) writeFileSync(path, content);
