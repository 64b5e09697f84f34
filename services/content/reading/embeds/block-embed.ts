import { setTimeout as pause } from 'node:timers/promises';
import type { Call } from '../../../../shared/contract/service.js';
import { isExpected } from '../../../../shared/errors/errors.js';
import { scaleMs } from '../../../../shared/settings/time-scale.js';
import { blockForUrl } from '../../contract.js';
import { linkEmbed } from './link-embed.js';
import type { Embed } from './resources.js';

/** Milliseconds: an embed does not wait longer for integrations. */
const answerMs = scaleMs(1_000);

interface AskedFor {
  organization: string;
  space: string;
  url: string;
}

/** An address that a block of an integration of the space shows; undefined without one, and while integrations cannot be asked. */
export async function blockEmbed(call: Call, asked: AskedFor): Promise<Embed | undefined> {
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
