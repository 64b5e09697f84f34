/** The caller of an operation: a closed union, resolved by identity from the token and carried in `meta.caller`. */
export type Caller =
  | { kind: 'anonymous' }
  | { kind: 'system' }
  | {
      kind: 'user';
      user: string;
      token: string;
      memberships: Record<string, Membership>;
      /** The only organization that the token gives access to: its single sign-on issued the token. */
      scope?: string;
    }
  | IntegrationCaller
  | InstallationCaller
  | ContentCaller;

/** The script of a published integration, outside of any installation. */
export interface IntegrationCaller {
  kind: 'integration';
  integration: string;
  /** The organization that published it. */
  owner: string;
  /** The tunnel to the developer whose machine calls in place of the script: what it is given ends with the tunnel. */
  tunnel?: string;
}

/** An integration that is installed in an organization, limited to its scopes and to what it is installed on. */
export interface InstallationCaller {
  kind: 'installation';
  installation: string;
  integration: string;
  organization: string;
  /** The user who installed it: what it writes is by this user. */
  user: string;
  scopes: string[];
  /** The ids of spaces. */
  spaces: 'all' | string[];
  /** The ids of sites. */
  sites: 'all' | string[];
  /** As of an integration. */
  tunnel?: string;
}

/** A visitor of a published site, as its content token describes it. */
export interface ContentCaller {
  kind: 'content';
  organization: string;
  site: string;
  siteSpace: string;
  siteSection?: string;
  /** The space that the visitor opened; one of `spaces`. */
  space: string;
  /** Every space that the visitor may read. */
  spaces: string[];
  /** Claims about the visitor; conditions read them. */
  claims: Record<string, unknown>;
  /** The share link that the visitor used. */
  shareKey?: string;
  /** Identifies the private key of the site that signed the visitor's JWT; absent for a visitor without one. */
  signedBy?: string;
  /** When access ends, in epoch seconds: the expiry of the JWT or of the preview URL. */
  until?: number;
  /**
   * The visitor previews the site, published or not: by the API token with this id, else by a preview URL that the token `by` made.
   * The URL may be for a change request.
   */
  preview?: { apiToken?: string; by?: string; changeRequest?: { space: string; id: string } };
  /** The change request that the visitor previews. */
  changeRequest?: { space: string; id: string };
  /** The revision that the visitor previews. */
  revision?: { space: string; id: string };
}

export type CallerKind = Caller['kind'];

/** An active membership of one organization. Disabled memberships are not listed. */
export interface Membership {
  /** `null` is a guest. */
  role: string | null;
  teams: string[];
  /** The `teams` whose members this member manages. */
  owned: string[];
  /** Why the organization refuses the token; shown to people. */
  refused?: string;
}

/** The membership of a user in an organization; undefined without one, or when the token is refused there. */
export function membershipOf(caller: Caller, organization: string): Membership | undefined {
  if (caller.kind !== 'user' || !Object.hasOwn(caller.memberships, organization)) return undefined;
  const membership = caller.memberships[organization];
  return membership?.refused === undefined ? membership : undefined;
}

/** Why a member's token is refused in an organization; undefined where it is not refused. */
export const tokenRefusalOf = (caller: Caller, organization: string): string | undefined =>
  caller.kind === 'user' && Object.hasOwn(caller.memberships, organization)
    ? caller.memberships[organization]?.refused
    : undefined;

/** Whether a caller belongs to an organization: its members, what is installed in it, the visitors of its sites. */
export const belongsToOrganization = (caller: Caller, organization: string): boolean =>
  membershipOf(caller, organization) !== undefined ||
  ((caller.kind === 'installation' || caller.kind === 'content') && caller.organization === organization);

/** The user by whom something is made or changed: for an installation, whoever installed it; undefined for other callers. */
export const actingUser = (caller: Caller): string | undefined =>
  caller.kind === 'user' || caller.kind === 'installation' ? caller.user : undefined;

/** The installation that makes a change, to be named in the events of the change; undefined for other callers. */
export const actingInstallation = (caller: Caller): string | undefined =>
  caller.kind === 'installation' ? caller.installation : undefined;

/** The tunnel that a caller got its token by, to spread into what the caller is given or starts. */
export const tunnelOf = (caller: Caller): { tunnel?: string } =>
  'tunnel' in caller && caller.tunnel !== undefined ? { tunnel: caller.tunnel } : {};

/** Whether a caller may know the mail addresses of members: integrations and visitors of sites may not. */
export const knowsAddresses = ({ kind }: Caller): boolean => kind === 'user' || kind === 'system';

/** Whether an installation may reach a space or a site of its organization. */
export const reachesPlace = (selected: 'all' | readonly string[], id: string): boolean =>
  selected === 'all' || selected.includes(id);

export const anonymous: Caller = { kind: 'anonymous' };
export const system: Caller = { kind: 'system' };
