import type { Translation } from '../words.js';
import { germanAccount, germanNotifications, germanSignIn } from './account.js';
import { germanBlocks, germanEditing, germanEditor, germanEditorPhrases } from './editor.js';
import { germanDone, germanFrame } from './frame.js';
import { germanGitSync } from './git-sync.js';
import { germanMoving, germanTemplates } from './moving.js';
import { germanCatalogue, germanHome } from './organization.js';
import { germanAccess, germanInviting, germanPeople, germanTeams } from './people.js';
import { germanChanges, germanComments, germanDifferences } from './review.js';
import { germanSingleSignOn } from './single-sign-on.js';
import { germanSites, germanVisits } from './sites.js';
import { germanHistory, germanReading, germanSettings } from './space.js';
import { germanImports, germanTree } from './writing.js';

export const german: Translation = {
  frame: germanFrame,
  done: germanDone,
  signIn: germanSignIn,
  home: germanHome,
  moving: germanMoving,
  templates: germanTemplates,
  catalogue: germanCatalogue,
  reading: germanReading,
  tree: germanTree,
  imports: germanImports,
  settings: germanSettings,
  gitSync: germanGitSync,
  comments: germanComments,
  history: germanHistory,
  changes: germanChanges,
  differences: germanDifferences,
  notifications: germanNotifications,
  account: germanAccount,
  sites: germanSites,
  visits: germanVisits,
  people: germanPeople,
  inviting: germanInviting,
  teams: germanTeams,
  access: germanAccess,
  singleSignOn: germanSingleSignOn,
  editor: germanEditor,
  editing: germanEditing,
  blocks: germanBlocks,
  editorPhrases: germanEditorPhrases,
};
