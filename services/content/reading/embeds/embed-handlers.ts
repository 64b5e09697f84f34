import type { Caller } from '../../../../shared/contract/caller.js';
import type { HandlersOf } from '../../../../shared/contract/service.js';
import type { embedOperations } from '../contract/embeds.js';
import { blockEmbed } from './block-embed.js';
import type { Embeds } from './embeds.js';

/** The owner of the limits that a request counts against if it names no organization. */
function askerOf(caller: Caller): string {
  switch (caller.kind) {
    case 'user':
      return caller.user;
    case 'integration':
      return caller.owner;
    case 'content':
    case 'installation':
      return caller.organization;
    default:
      return caller.kind;
  }
}

export function embedHandlers({ embeds }: { embeds: Embeds }): HandlersOf<typeof embedOperations> {
  return {
    async getEmbedByUrlInSpace({ path, query: { url } }, { call, access: { organization } }) {
      return (await blockEmbed(call, { organization, space: path.spaceId, url })) ?? embeds.embedOf(url, organization);
    },
    getEmbedByUrl: ({ query }, { caller }) => embeds.embedOf(query.url, askerOf(caller)),
  };
}
