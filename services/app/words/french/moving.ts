import type { Translation } from '../words.js';

export const frenchMoving: Translation['moving'] = {
  move: 'Déplacer',
  moveText: 'Là où l’accès est hérité, il devient celui du nouvel emplacement.',
  to: 'Vers',
  order: 'Ordre',
  place: 'Position',
  first: 'En premier',
  after: 'Après « {0} »',
  copy: 'Faire une copie',
  copyText: 'Avec ses pages et ses réglages, sans historique, demandes de modification ni commentaires.',
  transfer: 'Transférer vers une autre organisation',
  transferText:
    'Tout son contenu le suit. Qui n’y est pas membre perd l’accès, de même que les équipes et les intégrations, et les liens depuis d’autres espaces sont rompus. Là où l’accès est hérité, tous les membres de l’autre organisation l’ont.',
  organization: 'Organisation',
  transferConfirm: 'Transférer « {0} » vers une autre organisation ?',
};

export const frenchTemplates: Translation['templates'] = {
  template: 'Modèle',
  none: 'Vide',
  begin: 'Commencer avec un modèle',
  apply: 'Remplir l’espace',
  documentation: 'Documentation',
  apiReference: 'Référence d’API',
  knowledgeBase: 'Base de connaissances',
  changelog: 'Journal des modifications',
};
