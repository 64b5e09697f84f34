import type { Translation } from '../words.js';
import { spanishAccount, spanishNotifications, spanishSignIn } from './account.js';
import { spanishDone, spanishFrame } from './frame.js';
import { spanishCatalogue, spanishHome, spanishLevels } from './organization.js';
import { spanishAccess, spanishInviting, spanishPeople, spanishTeams } from './people.js';
import { spanishChanges, spanishComments } from './review.js';
import { spanishSites, spanishVisits } from './sites.js';
import { spanishHistory, spanishReading, spanishSettings } from './space.js';
import { spanishImports, spanishTree } from './writing.js';

export const spanish: Translation = {
  frame: spanishFrame,
  done: spanishDone,
  signIn: spanishSignIn,
  home: spanishHome,
  levels: spanishLevels,
  catalogue: spanishCatalogue,
  reading: spanishReading,
  tree: spanishTree,
  imports: spanishImports,
  settings: spanishSettings,
  comments: spanishComments,
  history: spanishHistory,
  changes: spanishChanges,
  notifications: spanishNotifications,
  account: spanishAccount,
  sites: spanishSites,
  visits: spanishVisits,
  people: spanishPeople,
  inviting: spanishInviting,
  teams: spanishTeams,
  access: spanishAccess,
};
