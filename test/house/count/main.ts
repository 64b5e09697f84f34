import { groupBy } from '../../../shared/values/group-by.js';
import { countPairs } from './pairs.js';
import { countWalks } from './walks.js';

/** Prints the counts of the product in the working directory, which has to be built. */
const root = process.cwd();

const { rooms, services, groups, groupArrows } = countPairs(root);
const showPairs = (of: string, pairs: string[]) =>
  console.log(`  ${of.padEnd(18)}${pairs.length}`, pairs.map((pair) => pair.replace(' ', ' <-> ')).join(', '));
console.log('Two-way pairs of rooms and doors');
for (const [service, pairs] of Object.entries(rooms).sort()) showPairs(service, pairs);
console.log('Two-way pairs of others');
showPairs('services', services);
showPairs('groups of content', groups);
console.log('Imports between groups of content');
for (const [arrow, imports] of [...groupArrows].sort()) console.log(`  ${arrow.replace(' ', ' -> ')}: ${imports}`);

console.log('Files and functions that one warm request runs');
for (const { name, files, functions } of await countWalks(root)) {
  console.log(`  ${name}: ${files.length} files, ${functions} functions`);
  const byPart = groupBy(files, (file) => /^(shared|services\/[^/]+)\//.exec(file)?.[1] as string);
  for (const [part, held] of byPart) console.log(`    ${part}: ${held.length}`);
  if (process.argv.includes('--files')) for (const file of files) console.log(`      ${file}`);
}
