import { permissionsOf } from '../../../../shared/contract/access.js';
import { type Caller, membershipOf } from '../../../../shared/contract/caller.js';
import type { Context } from '../../../../shared/contract/service.js';
import { apiError } from '../../../../shared/errors/errors.js';
import type { HasStore } from '../../../../shared/store/port.js';
import { findPrincipals } from '../../../identity/contract.js';
import { organizationKind, type Role, type User } from '../../../identity/resources.js';
import { type ContentTree, roleOfCaller, type TreeNode } from '../../core/access/tree/content-tree.js';
import type { HasTrees } from '../../core/access/tree/content-tree-cache.js';
import { spaces } from '../../core/nodes/model.js';
import type { HasRevisions } from '../../core/revisions/revision-cache.js';
import type { RevisionView } from '../../core/revisions/revision-view.js';
import { specKind } from '../../openapi/resources.js';
import { roleOnSpecs } from '../../openapi/specs/find.js';
import { type SpecDocument, specs } from '../../openapi/specs/model.js';

type Dependencies = HasStore & HasTrees & HasRevisions;

/** For one answer. */
const maxSpaces = 200;
const maxUsers = 5000;
const usersAtOnce = 500;
const specsAtOnce = 100;

const tooMany = (what: string) =>
  apiError('UNPROCESSABLE', `Too many links to list them: they may lead to ${what}`, 'too_complex');

/** The part of its organization that a caller may see, looked up once for one answer. Anything else is as if it did not exist. */
export class VisibleContent {
  private readonly views = new Map<string, RevisionView | undefined>();
  private readonly users = new Map<string, User>();
  private readonly asked = new Set<string>();
  private readonly specs = new Map<string, SpecDocument | undefined>();

  private constructor(
    private readonly deps: Dependencies,
    private readonly context: Pick<Context, 'call' | 'caller' | 'access'>,
    private readonly tree: ContentTree,
  ) {}

  static async for(deps: Dependencies, context: Pick<Context, 'call' | 'caller' | 'access'>): Promise<VisibleContent> {
    return new VisibleContent(deps, context, await deps.trees.treeOf(context.access.organization));
  }

  /** The role of the caller on a space or a collection that it may see; undefined for any other. */
  roleOn(kind: TreeNode['kind'], id: string): Role | undefined {
    const node = this.tree.get(id);
    if (node?.kind !== kind || node.deleted) return undefined;
    const { caller, access } = this.context;
    return roleOfCaller(caller, { tree: this.tree, organization: access.organization, node });
  }

  /** The current content of a space; undefined where the caller may not see it. Throws 422 for more spaces than one answer may need. */
  async contentOf(space: string): Promise<RevisionView | undefined> {
    if (this.views.has(space)) return this.views.get(space);
    if (this.roleOn('space', space) === undefined) return undefined;
    if (this.views.size === maxSpaces) throw tooMany(`pages of ${maxSpaces} other spaces`);
    const { store, revisions } = this.deps;
    const found = await store.get(spaces, space, { fields: ['revision'] });
    const view = found ? await revisions.find(space, found.revision) : undefined;
    this.views.set(space, view);
    return view;
  }

  /** Looks up the members with these ids. Throws 422 for more than one answer may need. */
  async findUsers(ids: Iterable<string>): Promise<void> {
    const { call, caller, access } = this.context;
    const wanted = [...new Set(ids)].filter((id) => mayKnow(caller, access.organization, id) && !this.asked.has(id));
    if (this.asked.size + wanted.length > maxUsers) throw tooMany(`${maxUsers.toLocaleString('en')} users`);
    for (let start = 0; start < wanted.length; start += usersAtOnce) {
      const users = wanted.slice(start, start + usersAtOnce);
      const { members } = await call(findPrincipals, { organization: access.organization, users, teams: [] });
      for (const { user, resource } of members) this.users.set(user, resource);
      for (const user of users) this.asked.add(user);
    }
  }

  /** Looks up the specifications of the organization with these slugs. */
  async findSpecs(slugs: Iterable<string>): Promise<void> {
    const { organization } = this.context.access;
    if (!mayViewSpecs(this.context.caller, organization)) return;
    const wanted = [...slugs].filter((slug) => !this.specs.has(slug));
    for (let start = 0; start < wanted.length; start += specsAtOnce) {
      const part = wanted.slice(start, start + specsAtOnce);
      const filter = { organization, slug: { $in: part } };
      const { items } = await this.deps.store.page(specs, { filter, sort: {}, limit: specsAtOnce });
      for (const slug of part)
        this.specs.set(
          slug,
          items.find((spec) => spec.slug === slug),
        );
    }
  }

  /** A specification that was looked up; undefined for any other. */
  specOf(slug: string): SpecDocument | undefined {
    return this.specs.get(slug);
  }

  /** A member that was looked up; undefined for anybody else. */
  userOf(id: string): User | undefined {
    return this.users.get(id);
  }
}

const mayViewSpecs = (caller: Caller, organization: string): boolean =>
  permissionsOf(specKind, roleOnSpecs(caller, organization)).view;

/** Guests and integrations must not learn who else is a member. */
const mayKnow = (caller: Caller, organization: string, user: string): boolean =>
  (caller.kind === 'user' && caller.user === user) ||
  permissionsOf(organizationKind, membershipOf(caller, organization)?.role).listMembers;
