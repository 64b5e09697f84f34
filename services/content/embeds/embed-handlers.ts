import type { Caller } from '../../../shared/contract/caller.js';
import type { HandlersOf } from '../../../shared/contract/service.js';
import type { embedOperations } from '../contract/reading.js';
import type { contentContract } from '../contract.js';
import type { ContentDependencies } from '../dependencies.js';

/** Whose bounds a request counts against that names no organization. */
const askerOf = (caller: Caller): string =>
  caller.kind === 'content' ? caller.organization : caller.kind === 'user' ? caller.user : caller.kind;

export function embedHandlers({
  embeds,
}: Pick<ContentDependencies, 'embeds'>): HandlersOf<typeof contentContract, typeof embedOperations> {
  return {
    getEmbedByUrlInSpace: ({ query }, { access: { organization } }) => embeds.embedOf(query.url, organization),
    getEmbedByUrl: ({ query }, { caller }) => embeds.embedOf(query.url, askerOf(caller)),
  };
}
