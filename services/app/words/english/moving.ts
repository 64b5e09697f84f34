/** Moving, copying and transferring spaces and collections. */
export const moving = {
  move: 'Move',
  moveText: 'Where access is inherited, it is that of the new place from then on.',
  to: 'To',
  order: 'Order',
  place: 'Place',
  first: 'First',
  after: 'After “{0}”',
  copy: 'Make a copy',
  copyText: 'With its pages and settings, without its history, change requests and comments.',
  transfer: 'Transfer to another organization',
  transferText:
    'Everything in it goes along. Who is not a member there loses access, teams and integrations lose it too, and links to it from other spaces break. Where access is inherited, all members there have it.',
  organization: 'Organization',
  transferConfirm: 'Transfer “{0}” to another organization?',
};

/** Templates, which new spaces begin with. */
export const templates = {
  template: 'Template',
  none: 'Empty',
  begin: 'Begin with a template',
  apply: 'Fill the space',
  documentation: 'Documentation',
  apiReference: 'API reference',
  knowledgeBase: 'Knowledge base',
  changelog: 'Changelog',
};
