/** What members may do with spaces and collections; each level includes those below it. */
export const levels = {
  admin: 'Administer',
  create: 'Create',
  review: 'Review',
  edit: 'Edit',
  comment: 'Comment',
  read: 'Read',
  none: 'No access',
  inherit: 'As where it stands',
};
