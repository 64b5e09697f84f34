import type { PageEntry } from '../../core/revisions/revision-view.js';
import type { TargetPage } from '../contract.js';

export const targetPage = ({ id, title, emoji, icon, createdAt, updatedAt, path }: PageEntry): TargetPage => ({
  id,
  title,
  ...(emoji ? { emoji } : {}),
  ...(icon ? { icon } : {}),
  ...(createdAt ? { createdAt } : {}),
  ...(updatedAt ? { updatedAt } : {}),
  path,
});
