import type { ServiceBroker, ServiceSchema } from 'moleculer';
import { openAssets } from '../../shared/assets/open-assets.js';
import type { Caller } from '../../shared/contract/caller.js';
import { Encoded, encodedIfLong } from '../../shared/contract/encoded.js';
import { bindService, callFrom, implementVerb } from '../../shared/contract/service.js';
import { createPdfMaker } from '../../shared/pdf/pdf-maker.js';
import type { Platform } from '../../shared/process/platform.js';
import { scaleMs } from '../../shared/settings/time-scale.js';
import { copySite } from '../sites/contract.js';
import { readerContract, readSite } from './contract.js';
import { SiteCopies } from './pages/copying/site-copies.js';
import { PageAnswers } from './pages/page-answers.js';
import { printTurns } from './pages/printing/printed-document.js';
import { Reader } from './pages/reader.js';
import { Pdfs } from './site/pdfs.js';
import { SiteTrees } from './site/site-trees.js';
import { readerAssetsFolder } from './style/reader-assets.js';
import { Visits } from './visits/visits.js';

/** Milliseconds that the services behind have for one page. */
const timeoutMs = scaleMs(8_000);

/** Sites as pages: without a store, and without rules of its own. */
export function readerService({
  config,
  secrets,
  log,
  broker,
}: Pick<Platform, 'config' | 'secrets' | 'log'> & { broker: ServiceBroker }): ServiceSchema {
  const callAs = (caller: Caller) => callFrom(broker, { caller, deadline: Date.now() + timeoutMs, requestId: '' });
  const { PDF_BROWSER: browser } = config;
  const pdfs = browser === undefined ? undefined : new Pdfs(createPdfMaker({ browser }));
  const deps = {
    config,
    log,
    assets: openAssets(readerAssetsFolder),
    visits: new Visits(callAs),
    trees: new SiteTrees(callAs),
    callAs,
    prints: printTurns(),
    ...(pdfs ? { pdfs } : {}),
    visitorKey: secrets.keyFor('visitors of pages').key,
  };
  const reader = new Reader(deps, new PageAnswers(deps));
  const copies = new SiteCopies(deps);
  return bindService({
    name: 'reader',
    contract: readerContract,
    ready: async () => {},
    handlers: {},
    checkResponses: config.CHECK_RESPONSES,
    stopped: async () => pdfs?.close(),
    verbs: [
      implementVerb(readSite, async (request) => encodedIfLong(await reader.answer(request))),
      implementVerb(copySite, async (asked) => Encoded.of(await copies.copy(asked))),
    ],
  });
}
