import type { ServiceBroker, ServiceSchema } from 'moleculer';
import { openAssets } from '../../shared/assets/open-assets.js';
import { type Caller, system } from '../../shared/contract/caller.js';
import { encodedIfLong } from '../../shared/contract/encoded.js';
import { bindService, type Call, callFrom, implementVerb } from '../../shared/contract/service.js';
import type { Platform } from '../../shared/process/platform.js';
import { scaleMs } from '../../shared/settings/time-scale.js';
import { callersChanged, forgetCallersHere } from '../identity/events.js';
import { accountScreens } from './account/account-screens.js';
import { changeScreens } from './changes/change-screens.js';
import { commentScreens } from './comments/comment-screens.js';
import { type AppRequest, answerApp, appContract } from './contract.js';
import { editingScreens } from './editing/editing-screens.js';
import { App } from './frame/app.js';
import { historyScreens } from './history/history-screens.js';
import { importScreens } from './imports/import-screens.js';
import { notificationScreens } from './notifications/notification-screens.js';
import { organizationScreens } from './organizations/organization-screens.js';
import { peopleScreens } from './people/people-screens.js';
import { readingScreens } from './reading/reading-screens.js';
import { SignIns } from './sessions/sign-ins.js';
import { gitScreens } from './settings/git-screen.js';
import { settingsScreens } from './settings/settings-screens.js';
import { signInScreens } from './sign-in/sign-in-screens.js';
import { singleSignOnScreens } from './sign-in/single-sign-on-screens.js';
import { singleSignOnSettingsScreens } from './single-sign-on/single-sign-on-screens.js';
import { siteScreens } from './sites/sites-screens.js';
import { appAssetsFolder } from './style/app-assets.js';
import { treeScreens } from './tree/tree-screens.js';

/** Milliseconds that the services behind have for one screen. */
const timeoutMs = scaleMs(9_000);

/** The screens of members: without a store, and without rules of its own. It calls what the API offers as the person who is signed in. */
export function appService({
  config,
  secrets,
  log,
  broker,
}: Pick<Platform, 'config' | 'secrets' | 'log'> & { broker: ServiceBroker }): ServiceSchema {
  const callAs = (caller: Caller, { network, requestId }: From = { network: '', requestId: '' }): Call =>
    callFrom(
      broker,
      { caller, deadline: Date.now() + timeoutMs, requestId, network },
      { callerChanged: () => forgetCallersHere(broker) },
    );
  const signIns = new SignIns(() => callAs(system));
  const deps = {
    config,
    log,
    assets: openAssets(appAssetsFolder),
    signIns,
    callAs,
    formKey: secrets.keyFor('forms of the app').key,
  };
  const sendsMail = config.SMTP_URL !== undefined;
  const app = new App(deps, {
    open: [...signInScreens({ callAs, sendsMail, baseUrl: config.baseUrl }), ...singleSignOnScreens({ callAs })],
    routes: [
      ...organizationScreens(),
      ...accountScreens(config),
      ...readingScreens(),
      ...editingScreens(),
      ...treeScreens(),
      ...importScreens(),
      ...siteScreens(),
      ...peopleScreens({ sendsMail }),
      ...singleSignOnSettingsScreens(),
      ...gitScreens(),
      ...settingsScreens({ makesPdfs: config.READER && config.PDF_BROWSER !== undefined }),
      ...commentScreens(),
      ...historyScreens(),
      ...changeScreens(),
      ...notificationScreens(),
    ],
  });
  return bindService({
    name: 'app',
    contract: appContract,
    ready: async () => {},
    handlers: {},
    hints: { [callersChanged.name]: () => signIns.forget() },
    checkResponses: config.CHECK_RESPONSES,
    verbs: [implementVerb(answerApp, async (request) => encodedIfLong(await app.answer(request)))],
  });
}

type From = Pick<AppRequest, 'network' | 'requestId'>;
