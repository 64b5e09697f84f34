import type { Translation } from '../words.js';
import { simplifiedChineseAccount, simplifiedChineseNotifications, simplifiedChineseSignIn } from './account.js';
import {
  simplifiedChineseBlocks,
  simplifiedChineseEditing,
  simplifiedChineseEditor,
  simplifiedChineseEditorPhrases,
} from './editor.js';
import { simplifiedChineseDone, simplifiedChineseFrame } from './frame.js';
import { simplifiedChineseGitSync } from './git-sync.js';
import { simplifiedChineseMoving, simplifiedChineseTemplates } from './moving.js';
import { simplifiedChineseCatalogue, simplifiedChineseHome } from './organization.js';
import {
  simplifiedChineseAccess,
  simplifiedChineseInviting,
  simplifiedChinesePeople,
  simplifiedChineseTeams,
} from './people.js';
import { simplifiedChineseChanges, simplifiedChineseComments, simplifiedChineseDifferences } from './review.js';
import { simplifiedChineseSingleSignOn } from './single-sign-on.js';
import { simplifiedChineseSites, simplifiedChineseVisits } from './sites.js';
import { simplifiedChineseHistory, simplifiedChineseReading, simplifiedChineseSettings } from './space.js';
import { simplifiedChineseImports, simplifiedChineseTree } from './writing.js';

export const simplifiedChinese: Translation = {
  frame: simplifiedChineseFrame,
  done: simplifiedChineseDone,
  signIn: simplifiedChineseSignIn,
  home: simplifiedChineseHome,
  moving: simplifiedChineseMoving,
  templates: simplifiedChineseTemplates,
  catalogue: simplifiedChineseCatalogue,
  reading: simplifiedChineseReading,
  tree: simplifiedChineseTree,
  imports: simplifiedChineseImports,
  settings: simplifiedChineseSettings,
  gitSync: simplifiedChineseGitSync,
  comments: simplifiedChineseComments,
  history: simplifiedChineseHistory,
  changes: simplifiedChineseChanges,
  differences: simplifiedChineseDifferences,
  notifications: simplifiedChineseNotifications,
  account: simplifiedChineseAccount,
  sites: simplifiedChineseSites,
  visits: simplifiedChineseVisits,
  people: simplifiedChinesePeople,
  inviting: simplifiedChineseInviting,
  teams: simplifiedChineseTeams,
  access: simplifiedChineseAccess,
  singleSignOn: simplifiedChineseSingleSignOn,
  editor: simplifiedChineseEditor,
  editing: simplifiedChineseEditing,
  blocks: simplifiedChineseBlocks,
  editorPhrases: simplifiedChineseEditorPhrases,
};
