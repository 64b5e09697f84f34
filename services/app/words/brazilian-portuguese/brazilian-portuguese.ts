import type { Translation } from '../words.js';
import { brazilianPortugueseAccount, brazilianPortugueseNotifications, brazilianPortugueseSignIn } from './account.js';
import {
  brazilianPortugueseBlocks,
  brazilianPortugueseEditing,
  brazilianPortugueseEditor,
  brazilianPortugueseEditorPhrases,
} from './editor.js';
import { brazilianPortugueseDone, brazilianPortugueseFrame } from './frame.js';
import { brazilianPortugueseGitSync } from './git-sync.js';
import { brazilianPortugueseMoving, brazilianPortugueseTemplates } from './moving.js';
import { brazilianPortugueseCatalogue, brazilianPortugueseHome } from './organization.js';
import {
  brazilianPortugueseAccess,
  brazilianPortugueseInviting,
  brazilianPortuguesePeople,
  brazilianPortugueseTeams,
} from './people.js';
import { brazilianPortugueseChanges, brazilianPortugueseComments, brazilianPortugueseDifferences } from './review.js';
import { brazilianPortugueseSingleSignOn } from './single-sign-on.js';
import { brazilianPortugueseSites, brazilianPortugueseVisits } from './sites.js';
import { brazilianPortugueseHistory, brazilianPortugueseReading, brazilianPortugueseSettings } from './space.js';
import { brazilianPortugueseImports, brazilianPortugueseTree } from './writing.js';

export const brazilianPortuguese: Translation = {
  frame: brazilianPortugueseFrame,
  done: brazilianPortugueseDone,
  signIn: brazilianPortugueseSignIn,
  home: brazilianPortugueseHome,
  moving: brazilianPortugueseMoving,
  templates: brazilianPortugueseTemplates,
  catalogue: brazilianPortugueseCatalogue,
  reading: brazilianPortugueseReading,
  tree: brazilianPortugueseTree,
  imports: brazilianPortugueseImports,
  settings: brazilianPortugueseSettings,
  gitSync: brazilianPortugueseGitSync,
  comments: brazilianPortugueseComments,
  history: brazilianPortugueseHistory,
  changes: brazilianPortugueseChanges,
  differences: brazilianPortugueseDifferences,
  notifications: brazilianPortugueseNotifications,
  account: brazilianPortugueseAccount,
  sites: brazilianPortugueseSites,
  visits: brazilianPortugueseVisits,
  people: brazilianPortuguesePeople,
  inviting: brazilianPortugueseInviting,
  teams: brazilianPortugueseTeams,
  access: brazilianPortugueseAccess,
  singleSignOn: brazilianPortugueseSingleSignOn,
  editor: brazilianPortugueseEditor,
  editing: brazilianPortugueseEditing,
  blocks: brazilianPortugueseBlocks,
  editorPhrases: brazilianPortugueseEditorPhrases,
};
