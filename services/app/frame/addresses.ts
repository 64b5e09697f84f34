import { pathSegment } from '../../../shared/text/path-segment.js';

const pathOf = (path: string): string => path.split('/').map(pathSegment).join('/');

/** A change request in an address. */
type NumberOrId = number | string;

/** The addresses of screens. Those that answers of the API name as `urls.app` are among them. `root`: the path of the server. */
export function addressesBelow(root: string) {
  const app = `${root}/app`;
  const space = (id: string) => `${app}/s/${id}`;
  const organization = (id: string) => `${app}/o/${id}`;
  return {
    root,
    home: app,
    signIn: `${app}/sign-in`,
    signInPasskey: `${app}/sign-in/passkey`,
    account: `${app}/account`,
    accountPasskey: `${app}/account/passkey`,
    notifications: `${app}/notifications`,
    organization,
    members: (id: string) => `${organization(id)}/members`,
    inviting: (id: string) => `${organization(id)}/members/invite`,
    /** Where somebody who has an invite link accepts it. */
    join: (id: string, invite: string) => `${app}/join/${id}/${invite}`,
    singleSignOn: (id: string) => `${organization(id)}/single-sign-on`,
    oidcProvider: (id: string, provider: string) => `${organization(id)}/single-sign-on/${provider}`,
    teams: (id: string) => `${organization(id)}/teams`,
    team: (id: string, team: string) => `${organization(id)}/teams/${team}`,
    sites: (id: string) => `${organization(id)}/sites`,
    site: (id: string, site: string) => `${organization(id)}/sites/${site}`,
    visits: (id: string, site: string) => `${organization(id)}/sites/${site}/visits`,
    /** Leads on to a preview of a site. */
    preview: (id: string, site: string) => `${organization(id)}/sites/${site}/preview`,
    drafts: (id: string) => `${organization(id)}/drafts`,
    /** The text of a draft whose page is gone. */
    lostDraft: (id: string, spaceId: string, number: NumberOrId | null, page: string) =>
      `${organization(id)}/drafts/${spaceId}/${pathSegment(page)}${number === null ? '' : `?number=${number}`}`,
    trash: (id: string) => `${organization(id)}/trash`,
    /** With everything that it offers to somebody who belongs to one organization, too. */
    organizations: `${app}?all=1`,
    specs: (id: string) => `${organization(id)}/openapi`,
    spec: (id: string, slug: string) => `${organization(id)}/openapi/${slug}`,
    installations: (id: string) => `${organization(id)}/integrations`,
    installation: (id: string, integration: string, installation: string) =>
      `${organization(id)}/integrations/${integration}/installations/${installation}`,
    integration: (name: string) => `${app}/integrations/${name}`,
    search: (id: string) => `${organization(id)}/search`,
    collection: (id: string) => `${app}/c/${id}`,
    space,
    page: (id: string, path: string) => (path === '' ? space(id) : `${space(id)}/${pathOf(path)}`),
    history: (id: string) => `${space(id)}/~/history`,
    restore: (id: string, revision: string) => `${space(id)}/~/history/${revision}/restore`,
    revision: (id: string, revision: string) => `${space(id)}/~/revisions/${revision}`,
    revisionPage: (id: string, revision: string, path: string) =>
      `${space(id)}/~/revisions/${revision}/${pathOf(path)}`,
    changeRequests: (id: string) => `${space(id)}/~/changes`,
    /** Says who is signed in. */
    session: `${app}/~/session`,
    changeRequest: (id: string, number: NumberOrId) => `${space(id)}/~/changes/${number}`,
    newChangeRequest: (id: string) => `${space(id)}/~/changes/new`,
    conflicts: (id: string, number: NumberOrId) => `${space(id)}/~/changes/${number}/~/conflicts`,
    /** A preview of a change request on a site. */
    previewOf: (id: string, number: NumberOrId, site: string) => `${space(id)}/~/changes/${number}/~/preview/${site}`,
    /** The comments on a space, or on a change request. */
    comments: (id: string, number: NumberOrId | null) =>
      number === null ? `${space(id)}/~/comments` : `${space(id)}/~/changes/${number}/~/comments`,
    /** Answers scripts: people of a space by their names. */
    people: (id: string) => `${space(id)}/~/people`,
    /** A page in a change request. */
    changedPage: (id: string, number: NumberOrId, path: string) =>
      `${space(id)}/~/changes/${number}/~/read/${pathOf(path)}`,
    /** The editor of a page: in a change request, or in the live content. */
    edit: (id: string, number: NumberOrId | null, path: string) =>
      number === null
        ? `${space(id)}/~/edit/${pathOf(path)}`
        : `${space(id)}/~/changes/${number}/~/edit/${pathOf(path)}`,
    /** Adding, moving and describing pages. */
    tree: (id: string, number: NumberOrId | null) =>
      number === null ? `${space(id)}/~/tree` : `${space(id)}/~/changes/${number}/~/tree`,
    /** Making a site of a space. */
    publish: (id: string) => `${space(id)}/~/publish`,
    /** Who may read and change a space. */
    access: (id: string) => `${space(id)}/~/access`,
    /** The differences of two revisions, named by `?from=` and `?to=`. */
    compare: (id: string) => `${space(id)}/~/compare`,
    changeDifference: (id: string, number: NumberOrId, page: string) =>
      `${space(id)}/~/changes/${number}/~/differences/${page}`,
    /** The differences of a space from a revision on. */
    historyFrom: (id: string, revision: string) => `${space(id)}/~/history?from=${encodeURIComponent(revision)}`,
    imports: (id: string) => `${space(id)}/~/import`,
    settings: (id: string) => `${space(id)}/~/settings`,
    /** The connection with a repository. */
    git: (id: string) => `${space(id)}/~/git`,
    pdf: (id: string) => `${space(id)}/~/pdf`,
    /** For a script: how far imports and exports are. */
    progress: (id: string) => `${space(id)}/~/progress`,
  };
}

export type Addresses = ReturnType<typeof addressesBelow>;
