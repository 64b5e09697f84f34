import type { Translation } from '../words.js';
import { japaneseAccount, japaneseNotifications, japaneseSignIn } from './account.js';
import { japaneseBlocks, japaneseEditing, japaneseEditor, japaneseEditorPhrases } from './editor.js';
import { japaneseDone, japaneseFrame } from './frame.js';
import { japaneseGitSync } from './git-sync.js';
import { japaneseMoving, japaneseTemplates } from './moving.js';
import { japaneseCatalogue, japaneseHome } from './organization.js';
import { japaneseAccess, japaneseInviting, japanesePeople, japaneseTeams } from './people.js';
import { japaneseChanges, japaneseComments, japaneseDifferences } from './review.js';
import { japaneseSingleSignOn } from './single-sign-on.js';
import { japaneseSites, japaneseVisits } from './sites.js';
import { japaneseHistory, japaneseReading, japaneseSettings } from './space.js';
import { japaneseImports, japaneseTree } from './writing.js';

export const japanese: Translation = {
  frame: japaneseFrame,
  done: japaneseDone,
  signIn: japaneseSignIn,
  home: japaneseHome,
  moving: japaneseMoving,
  templates: japaneseTemplates,
  catalogue: japaneseCatalogue,
  reading: japaneseReading,
  tree: japaneseTree,
  imports: japaneseImports,
  settings: japaneseSettings,
  gitSync: japaneseGitSync,
  comments: japaneseComments,
  history: japaneseHistory,
  changes: japaneseChanges,
  differences: japaneseDifferences,
  notifications: japaneseNotifications,
  account: japaneseAccount,
  sites: japaneseSites,
  visits: japaneseVisits,
  people: japanesePeople,
  inviting: japaneseInviting,
  teams: japaneseTeams,
  access: japaneseAccess,
  singleSignOn: japaneseSingleSignOn,
  editor: japaneseEditor,
  editing: japaneseEditing,
  blocks: japaneseBlocks,
  editorPhrases: japaneseEditorPhrases,
};
