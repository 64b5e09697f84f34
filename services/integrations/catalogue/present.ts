import type { Caller } from '../../../shared/contract/caller.js';
import type { Context } from '../../../shared/contract/service.js';
import { listPage, type Page, type PageRequest } from '../../../shared/lists/paging.js';
import type { Filter, Store } from '../../../shared/store/port.js';
import { omitUndefined } from '../../../shared/values/omit-undefined.js';
import { mayPublish, organizationsOf, standingOf } from './access.js';
import type { CatalogueDependencies } from './dependencies.js';
import { type IntegrationDocument, integrations, type StoredImage } from './model.js';
import { ownersOf } from './owners.js';
import { prefixBytes } from './publishing/files.js';
import type { Integration } from './resources.js';

type PresentingDependencies = Pick<CatalogueDependencies, 'baseUrl' | 'endpointsUrl' | 'links' | 'administering'>;
type Presenting = Pick<Context, 'call' | 'caller'>;

/** Integrations as a caller sees them, in their order. */
export async function presentIntegrations(
  deps: PresentingDependencies,
  documents: readonly IntegrationDocument[],
  { call, caller }: Presenting,
): Promise<Integration[]> {
  const ownerOf = await ownersOf(documents, { call, baseUrl: deps.baseUrl });
  const install = mayInstall(caller);
  const standings = await Promise.all(documents.map((document) => standingOf(deps, caller, document)));
  return documents.map((document, at) => {
    const { summary, description, contentSecurityPolicy } = document;
    return omitUndefined({
      object: 'integration',
      name: document._id,
      version: document.version,
      title: document.title,
      description,
      summary,
      previewImages: document.previewImages.map((image, at) => urlOfImage(deps, image, `preview-${at + 1}`)),
      target: document.target,
      verified: document.verified,
      visibility: document.visibility,
      scopes: document.scopes,
      categories: document.categories,
      blocks: document.blocks,
      contentSources: document.contentSources,
      configurations: document.configurations,
      externalLinks: document.externalLinks,
      owner: ownerOf(document),
      urls: integrationUrls(deps, document),
      permissions: { admin: standings[at] === 'owner', install },
      contentSecurityPolicy,
    });
  });
}

/** As `presentIntegrations`, of one. */
export async function presentIntegration(
  deps: PresentingDependencies,
  document: IntegrationDocument,
  presenting: Presenting,
): Promise<Integration> {
  const [shown] = await presentIntegrations(deps, [document], presenting);
  return shown as Integration;
}

/** Bytes of an integration besides its blocks, content sources and configurations. */
const plainBytes = 3_000;
/** Definitions may be large, so few are read at a time and a page ends before it takes more than 4 MB. */
const sizes = { max: 4_000_000, atOnce: 10, of: ({ bytes }: IntegrationDocument) => plainBytes + bytes };

/** A page of a list of integrations, by name. */
export const integrationsPage = (
  deps: PresentingDependencies & { store: Store },
  { filter, request }: { filter: Filter<IntegrationDocument>; request: PageRequest },
  presenting: Presenting,
): Promise<Page<Integration>> =>
  listPage(deps.store, integrations, { filter, sort: {}, request, sizes }, (items) =>
    presentIntegrations(deps, items, presenting),
  );

const mayInstall = (caller: Caller): boolean =>
  caller.kind === 'user' && organizationsOf(caller).some((id) => mayPublish(caller.memberships[id]?.role));

function integrationUrls(deps: PresentingDependencies, { _id: name, icon }: IntegrationDocument): Integration['urls'] {
  const app = `${deps.baseUrl}/app/integrations/${name}`;
  return {
    location: `${deps.baseUrl}/v1/integrations/${name}`,
    ...(icon === undefined ? {} : { icon: urlOfImage(deps, icon, 'icon') }),
    app,
    assets: `${app}/assets`,
    ...endpointUrls(`${deps.endpointsUrl}/integrations/${name}`),
  };
}

/** Addresses of an integration or an installation: the same one twice, since scripts render from one of them only. */
export const endpointUrls = (publicEndpoint: string) => ({ publicEndpoint, publicContentEndpoint: publicEndpoint });

const urlOfImage = ({ baseUrl, links }: PresentingDependencies, { blob, extension }: StoredImage, name: string) =>
  baseUrl + links.signedPathOf({ id: blob, name: `${name}.${extension}`, skip: prefixBytes });
