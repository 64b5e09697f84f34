import type { HasLinks } from '../../../../shared/blobs/links.js';
import type { Context } from '../../../../shared/contract/service.js';
import type { HasSecrets } from '../../../../shared/secrets/secrets.js';
import type { HasStore } from '../../../../shared/store/port.js';
import { identityContract } from '../../../identity/contract.js';
import type { Organization } from '../../../identity/resources.js';
import { presentMergedFrom } from '../../core/change-requests/present.js';
import type { ChangeRequest } from '../../core/change-requests/resources.js';
import { collections, presentCollection, presentSpace, spaces } from '../../core/nodes/model.js';
import type { CollectionResource, Space } from '../../core/nodes/resources.js';
import type { FileEntry } from '../../core/revisions/model.js';
import type { PageEntry, RevisionView } from '../../core/revisions/revision-view.js';
import { openCommentCounts } from '../../core/spaces/presenting/open-comments.js';
import { roleOnSpecs } from '../../openapi/specs/find.js';
import { presentSpec } from '../../openapi/specs/present.js';
import {
  type MergedFrom,
  presentFile,
  presentPage,
  presentReusable,
  presentRevisionAlone,
  wholeContent,
} from '../pages/pages.js';
import { anchorOfUse, type LinkUse, type UsedTarget } from './link-collector.js';
import type { ContentLocation } from './resources.js';
import { pageOfApp, type Target } from './targets.js';
import type { VisibleContent } from './visible-content.js';

type Dependencies = HasStore & HasLinks & HasSecrets & { baseUrl: string };

const options = wholeContent;

interface Presented {
  organization: Organization;
  spaces: ReadonlyMap<string, Space>;
  collections: ReadonlyMap<string, CollectionResource>;
  /** The content of the other spaces. */
  elsewhere: ReadonlyMap<string, RevisionView>;
  /** The change request that the content is the merge of. */
  merged: MergedFrom;
}

interface Locating {
  view: RevisionView;
  /** The change request that the content is of; absent for that of the space. */
  changeRequest: ChangeRequest | undefined;
  visible: VisibleContent;
  context: Pick<Context, 'call' | 'caller' | 'access'>;
  /** The targets that will be presented. */
  targets: readonly UsedTarget[];
}

/** Presents targets, and places that use them; what they have in common is read once. */
export class Locations {
  private readonly reusable: ReadonlyMap<string, RevisionView['reusable'][number]>;
  private readonly space: Space;
  private readonly inContent: Pick<
    Extract<ContentLocation, { kind: 'page' }>,
    'organization' | 'space' | 'versionContext'
  >;

  private constructor(
    private readonly deps: Dependencies,
    private readonly locating: Locating,
    private readonly presented: Presented,
  ) {
    const { view, changeRequest } = locating;
    const { organization, merged } = presented;
    this.reusable = new Map(view.reusable.map((entry) => [entry.id, entry]));
    this.space = presented.spaces.get(view.revision.space) as Space;
    const alone = presentRevisionAlone(deps, view, { ...options, ...merged });
    const revision = { ...alone, pages: [], files: [], reusableContents: [] };
    this.inContent = {
      organization,
      space: this.space,
      versionContext: changeRequest ? { type: 'changeRequest', changeRequest } : { type: 'revision', revision },
    };
  }

  static async for(deps: Dependencies, locating: Locating): Promise<Locations> {
    const { view, visible, context, targets } = locating;
    const named = idsNamedBy(targets);
    const wanted = [...new Set([view.revision.space, ...named.spaces])];
    const roleOn = (kind: 'space' | 'collection', id: string) => visible.roleOn(kind, id) ?? null;
    const [organization, foundSpaces, foundCollections, merged] = await Promise.all([
      context.call(identityContract.getOrganizationById, { path: { organizationId: context.access.organization } }),
      deps.store.getMany(spaces, wanted),
      deps.store.getMany(collections, [...named.collections]),
      presentMergedFrom(deps, view.revision, context),
    ]);
    const known = foundSpaces.filter(({ _id }) => roleOn('space', _id));
    const commentsOn = await openCommentCounts(context, known);
    const elsewhere = new Map<string, RevisionView>();
    for (const space of named.pagesOf) {
      const content = space === view.revision.space ? undefined : await visible.contentOf(space);
      if (content) elsewhere.set(space, content);
    }
    return new Locations(deps, locating, {
      organization,
      spaces: new Map(
        foundSpaces.map((space) => {
          const { _id: id } = space;
          return [id, presentSpace(deps.baseUrl, space, { role: roleOn('space', id), comments: commentsOn(id) })];
        }),
      ),
      collections: new Map(
        foundCollections.map((each) => [
          each._id,
          presentCollection(deps.baseUrl, each, roleOn('collection', each._id)),
        ]),
      ),
      elsewhere,
      merged,
    });
  }

  /** A place that uses something. */
  ofUse(use: LinkUse): ContentLocation {
    const { from } = use;
    const page = from.kind === 'page' ? this.locating.view.pageById.get(from.id) : undefined;
    if (page) return { kind: 'page', ...this.inContent, page: this.light(page), ...internal(anchorOfUse(use)) };
    return this.ofReusable(from.id) as ContentLocation;
  }

  /** A place that uses a file. */
  ofFileUse(file: FileEntry, use: LinkUse): ContentLocation {
    const { from } = use;
    const page = from.kind === 'page' ? this.locating.view.pageById.get(from.id) : undefined;
    const entry = page ? undefined : this.reusable.get(from.id);
    return {
      kind: 'file',
      ...this.inContent,
      file: presentFile(this.deps, file, options),
      ...(page ? { page: this.light(page) } : {}),
      ...(entry ? { reusableContent: presentReusable(entry, options) } : {}),
      ...internal(anchorOfUse(use)),
    };
  }

  /** A target that exists for the caller; undefined for one of which that is not known. */
  ofTarget(target: Target): ContentLocation | undefined {
    const { view, visible } = this.locating;
    switch (target.kind) {
      case 'page':
        return this.ofPage(view, target.page, target.anchor);
      case 'page-elsewhere':
        return this.ofPage(this.presented.elsewhere.get(target.space), target.page, target.anchor);
      case 'file': {
        const file = view.fileById.get(target.file);
        return file && { kind: 'file', ...this.inContent, file: presentFile(this.deps, file, options) };
      }
      case 'reusable-content':
        return this.ofReusable(target.reusableContent);
      case 'space':
        return this.ofSpace(target.space);
      case 'collection':
        return this.ofCollection(target.collection);
      case 'user': {
        const user = visible.userOf(target.user);
        return user && { kind: 'user', user };
      }
      case 'openapi':
        return this.ofSpec(target.spec);
      case 'url':
        return { kind: 'url', url: target.url };
      case 'app':
        return this.ofApp(target);
      case 'nothing':
        return undefined;
    }
  }

  private ofApp({ place }: Extract<Target, { kind: 'app' }>): ContentLocation | undefined {
    if (place.kind === 'collection') return this.ofCollection(place.collection);
    if (place.kind !== 'space') return undefined;
    if (place.path === '' || place.path.startsWith('~/')) return this.ofSpace(place.space);
    const { view } = this.locating;
    const content = place.space === view.revision.space ? view : this.presented.elsewhere.get(place.space);
    const page = content && pageOfApp(content, place);
    return page && this.ofPage(content, page.id, place.anchor);
  }

  private ofPage(
    content: RevisionView | undefined,
    id: string,
    anchor: string | undefined,
  ): ContentLocation | undefined {
    const page = content?.pageById.get(id);
    const space = content && this.presented.spaces.get(content.revision.space);
    if (!content || !page || !space) return undefined;
    if (content === this.locating.view)
      return { kind: 'page', ...this.inContent, page: this.light(page), ...internal(anchor) };
    const { organization } = this.presented;
    return { kind: 'page', organization, space, page: this.light(page, content), ...internal(anchor) };
  }

  private ofReusable(id: string): ContentLocation | undefined {
    const entry = this.reusable.get(id);
    return entry && { kind: 'reusable-content', ...this.inContent, reusableContent: presentReusable(entry, options) };
  }

  private ofSpace(id: string): ContentLocation | undefined {
    const space = this.locating.visible.roleOn('space', id) ? this.presented.spaces.get(id) : undefined;
    return space && { kind: 'space', organization: this.presented.organization, space };
  }

  private ofCollection(id: string): ContentLocation | undefined {
    const visible = this.locating.visible.roleOn('collection', id) !== undefined;
    const collection = visible ? this.presented.collections.get(id) : undefined;
    return collection && { kind: 'collection', organization: this.presented.organization, collection };
  }

  private ofSpec(slug: string): ContentLocation | undefined {
    const { visible, context } = this.locating;
    const { organization } = this.presented;
    const spec = visible.specOf(slug);
    const role = roleOnSpecs(context.caller, organization.id) ?? null;
    return spec && { kind: 'openapi', organization, openAPISpec: presentSpec(this.deps, spec, role) };
  }

  private light(page: PageEntry, content = this.locating.view) {
    return presentPage(this.deps, content, { ...page, pages: [] }, options);
  }
}

const internal = (anchor: string | undefined) =>
  anchor === undefined ? {} : { internalLocation: { type: 'anchor' as const, anchor } };

/** The ids of the spaces and collections that targets name, and of the spaces whose pages they name. */
function idsNamedBy(targets: readonly UsedTarget[]): Record<'spaces' | 'collections' | 'pagesOf', Set<string>> {
  const named = { spaces: new Set<string>(), collections: new Set<string>(), pagesOf: new Set<string>() };
  for (const { target } of targets) {
    const place = target.kind === 'app' ? target.place : target;
    if (place.kind === 'collection') named.collections.add(place.collection);
    if (place.kind === 'space' || place.kind === 'page-elsewhere') named.spaces.add(place.space);
    if (place.kind === 'page-elsewhere' || (place.kind === 'space' && 'path' in place && place.path !== ''))
      named.pagesOf.add(place.space);
  }
  return named;
}
