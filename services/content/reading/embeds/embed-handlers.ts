import { setTimeout as pause } from 'node:timers/promises';
import type { Caller } from '../../../../shared/contract/caller.js';
import type { Call, HandlersOf } from '../../../../shared/contract/service.js';
import { isExpected } from '../../../../shared/errors/errors.js';
import { scaleMs } from '../../../../shared/settings/time-scale.js';
import { blockForUrl } from '../../contract.js';
import type { embedOperations } from '../contract/embeds.js';
import type { Embeds } from './embeds.js';
import { linkEmbed } from './link-embed.js';
import type { Embed } from './resources.js';

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

/** Milliseconds: an embed does not wait longer for integrations. */
const answerMs = scaleMs(1_000);

interface AskedFor {
  organization: string;
  space: string;
  url: string;
}

/** An address that a block of an integration of the space shows; undefined without one, and while integrations cannot be asked. */
async function blockEmbed(call: Call, asked: AskedFor): Promise<Embed | undefined> {
  const waiting = new AbortController();
  try {
    const late = pause(answerMs, null, { signal: waiting.signal });
    const found = await Promise.race([call(blockForUrl, asked), late]);
    if (!found) return undefined;
    const { site, url } = linkEmbed(asked.url);
    const { integration, title, block } = found;
    return { type: 'integration', title: `${title}: ${block.title}`, site, url, integration, block };
  } catch (error) {
    if (isExpected(error)) return undefined;
    throw error;
  } finally {
    waiting.abort();
  }
}
