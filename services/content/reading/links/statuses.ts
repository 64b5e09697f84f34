import type { HasStore } from '../../../../shared/store/port.js';
import { eachInSlices } from '../../../../shared/work/slices.js';
import type { Links, UsedTarget } from './link-collector.js';
import { lackingAnchors } from './missing-anchors.js';
import type { referenceStatuses } from './resources.js';
import { StoredLinks } from './stored-links.js';
import type { Target } from './targets.js';
import type { VisibleContent } from './visible-content.js';

export type Status = (typeof referenceStatuses)[number];

type PageElsewhere = Extract<Target, { kind: 'page-elsewhere' }>;

/** Finds the status of targets as a caller sees them. The function answers for these links alone. */
export async function statusesOf(
  { store }: HasStore,
  visible: VisibleContent,
  { targets, lacking }: Links,
): Promise<(used: UsedTarget) => Status> {
  const users = new Set<string>();
  const specs = new Set<string>();
  const pages = new Map<string, PageElsewhere[]>();
  await eachInSlices(targets.values(), ({ target }) => {
    if (target.kind === 'user') users.add(target.user);
    if (target.kind === 'openapi') specs.add(target.spec);
    if (target.kind !== 'page-elsewhere') return;
    const known = pages.get(target.space);
    if (known) known.push(target);
    else pages.set(target.space, [target]);
  });
  await visible.findUsers(users);
  await visible.findSpecs(specs);
  const missing = new Set<Target>(lacking);
  for (const [space, named] of pages) {
    const view = await visible.contentOf(space);
    const without = view && (await lackingAnchors(view, named, new StoredLinks({ store, space })));
    for (const target of named) if (!view?.pageById.has(target.page) || without?.has(target)) missing.add(target);
  }
  const exists = (target: Target): boolean => {
    if (target.kind === 'nothing' || missing.has(target)) return false;
    if (target.kind === 'space') return visible.roleOn('space', target.space) !== undefined;
    if (target.kind === 'collection') return visible.roleOn('collection', target.collection) !== undefined;
    if (target.kind === 'openapi') return visible.specOf(target.spec) !== undefined;
    return target.kind !== 'user' || visible.userOf(target.user) !== undefined;
  };
  return ({ target }) => (target.kind === 'app' ? 'in-app' : exists(target) ? 'ok' : 'broken');
}
