import { eachInSlices } from '../../../../shared/work/slices.js';
import { resolveRef } from '../../core/revisions/references.js';
import type { PageEntry, RevisionView } from '../../core/revisions/revision-view.js';
import { percentDecode } from '../../format/space/paths.js';
import type { StoredLinks } from './stored-links.js';
import type { Target } from './targets.js';

/** Reusable contents of one page whose anchors count as the page's. */
const maxIncludes = 50;

type Body = Pick<PageEntry, 'id' | 'document' | 'git' | 'aliases'>;

/** Finds the targets whose anchor exists neither in the body nor in the reusable content that it includes. */
export async function lackingAnchors(
  view: RevisionView,
  targets: Iterable<Target>,
  stored: StoredLinks,
): Promise<Set<Target>> {
  const anchors = new AnchorLookup(view, stored);
  const anchored: Anchored[] = [];
  await eachInSlices(targets, (target) => {
    const found = anchors.bodyOf(target);
    if (found) anchored.push({ target, ...found });
  });
  await stored.read(documentsOf(anchored.map(({ body }) => body)));
  const included = new Map<Body, Body[]>();
  await eachInSlices(anchored, ({ body }) => {
    if (!included.has(body)) included.set(body, anchors.includesOf(body));
  });
  await stored.read(documentsOf([...included.values()].flat()));
  const lacking = new Set<Target>();
  await eachInSlices(anchored, ({ target, body, anchor }) => {
    const bodies = [body, ...(included.get(body) ?? [])];
    if (!bodies.some((each) => anchors.has(each, anchor))) lacking.add(target);
  });
  return lacking;
}

interface Anchored {
  target: Target;
  body: Body;
  anchor: string;
}

const documentsOf = (bodies: Body[]) => bodies.flatMap(({ document }) => document ?? []);

class AnchorLookup {
  /** Each list of anchors becomes a set once. */
  private readonly sets = new Map<readonly string[], ReadonlySet<string>>();
  private readonly reusable: ReadonlyMap<string, Body>;

  constructor(
    private readonly view: RevisionView,
    private readonly stored: StoredLinks,
  ) {
    this.reusable = new Map(view.reusable.map((entry) => [entry.id, entry]));
  }

  /** The body that a target with an anchor names. */
  bodyOf(target: Target): Omit<Anchored, 'target'> | undefined {
    if (!('anchor' in target) || !target.anchor) return undefined;
    const { anchor } = target;
    const body = 'page' in target ? this.view.pageById.get(target.page) : this.reusable.get(target.reusableContent);
    return body && { body, anchor };
  }

  has({ document }: Body, anchor: string): boolean {
    const { anchors } = this.stored.of(document);
    const known = this.sets.get(anchors) ?? new Set(anchors);
    this.sets.set(anchors, known);
    return known.has(anchor) || known.has(percentDecode(anchor));
  }

  /** The reusable contents that a body includes. */
  includesOf(body: Body): Body[] {
    const found = new Set<Body>();
    for (const { url, kind } of this.stored.of(body.document).links) {
      if (kind !== 'include' || found.size === maxIncludes) continue;
      const ref = resolveRef(this.view, body, url, kind);
      const entry = this.reusable.get(String(ref?.reusableContent));
      if (entry) found.add(entry);
    }
    return [...found];
  }
}
