import type { Translation } from '../words.js';
import { account, notifications, signIn } from './account.js';
import { done, frame } from './frame.js';
import { catalogue, home, levels } from './organization.js';
import { access, inviting, people, teams } from './people.js';
import { changes, comments } from './review.js';
import { sites, visits } from './sites.js';
import { history, reading, settings } from './space.js';
import { imports, tree } from './writing.js';

export const brazilianPortuguese: Translation = {
  frame,
  done,
  signIn,
  home,
  levels,
  catalogue,
  reading,
  tree,
  imports,
  settings,
  comments,
  history,
  changes,
  notifications,
  account,
  sites,
  visits,
  people,
  inviting,
  teams,
  access,
};
