import type { Translation } from '../words.js';

export const russianMoving: Translation['moving'] = {
  move: 'Переместить',
  moveText: 'Где доступ наследуется, он станет таким, как на новом месте.',
  to: 'Куда',
  order: 'Порядок',
  place: 'Место',
  first: 'В начале',
  after: 'После «{0}»',
  copy: 'Сделать копию',
  copyText: 'Со страницами и настройками, без истории, запросов на изменение и комментариев.',
  transfer: 'Передать другой организации',
  transferText:
    'Вместе с ним переходит всё содержимое. Те, кто не состоит в той организации, потеряют доступ, как и команды и интеграции, а ссылки из других пространств перестанут работать. Где доступ наследуется, его получат все участники той организации.',
  organization: 'Организация',
  transferConfirm: 'Передать «{0}» другой организации?',
};

export const russianTemplates: Translation['templates'] = {
  template: 'Шаблон',
  none: 'Пусто',
  begin: 'Начать с шаблона',
  apply: 'Заполнить пространство',
  documentation: 'Документация',
  apiReference: 'Справочник API',
  knowledgeBase: 'База знаний',
  changelog: 'Журнал изменений',
};
