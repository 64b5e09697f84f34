import type { Translation } from '../words.js';

export const brazilianPortugueseMoving: Translation['moving'] = {
  move: 'Mover',
  moveText: 'Onde o acesso é herdado, ele passa a ser o do novo lugar.',
  to: 'Para',
  order: 'Ordem',
  place: 'Posição',
  first: 'Primeiro',
  after: 'Depois de “{0}”',
  copy: 'Fazer uma cópia',
  copyText: 'Com as páginas e configurações, sem histórico, solicitações de mudança e comentários.',
  transfer: 'Transferir para outra organização',
  transferText:
    'Tudo o que está nele vai junto. Quem não é membro lá perde o acesso, assim como equipes e integrações, e os links de outros espaços deixam de funcionar. Onde o acesso é herdado, todos os membros de lá o têm.',
  organization: 'Organização',
  transferConfirm: 'Transferir “{0}” para outra organização?',
};

export const brazilianPortugueseTemplates: Translation['templates'] = {
  template: 'Modelo',
  none: 'Vazio',
  begin: 'Começar com um modelo',
  apply: 'Preencher o espaço',
  documentation: 'Documentação',
  apiReference: 'Referência da API',
  knowledgeBase: 'Base de conhecimento',
  changelog: 'Registro de mudanças',
};
