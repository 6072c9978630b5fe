import type { LegalDocument } from './legal-text';

export const PROJECTS_TERMS: LegalDocument = {
  title: 'Projects and Community Terms',
  effective: 'Effective 17 May 2021',
  summary:
    'These terms add to the [Terms of Use](/terms). They say who may see a project, what collaborators may do with each other’s work, and how members treat each other.',
  sections: [
    {
      id: 'words',
      title: 'Words used here',
      blocks: [
        [
          'Project: a song or another piece of audio with its versions, regions, comments, todos and notes.',
          'Creator: the member who created the project and owns it on Roughmix.',
          'Collaborator: a member whom the creator allows to add to the project.',
          'Contribution: what a collaborator adds, such as a recording, a mix or an edit.',
          'Fork: a new project that starts from a copy of another one.',
        ],
      ],
    },
    {
      id: 'access',
      title: 'Private and Public',
      blocks: [
        'A project is Private until its creator sets it to Public. Only its creator can change the setting.',
        [
          'Private: only the creator and the people invited to the project can open it. Group members can play what was shared with their group.',
          'Public: everyone on Roughmix can open and play the project. They cannot change it, and they can download it only if they are members with that right.',
        ],
        'A project that turns Private again can no longer be opened by others. What they were allowed to do before is not undone, including forks made while it was Public.',
      ],
    },
    {
      id: 'roles',
      title: 'Who may do what',
      blocks: [
        'The creator decides for each person whether they may view, comment, download or write, and can change that at any time. Collaborators may add versions and todos. Authors keep control of what they wrote: nobody else can edit it.',
      ],
    },
    {
      id: 'licences',
      title: 'Licences between creators and collaborators',
      blocks: [
        'Creator licence: the creator of a project allows its collaborators to copy, edit and add to its content, within the project and for its purpose, for as long as they are collaborators.',
        'Collaborator licence: a collaborator allows the creator to use each contribution in the project, worldwide, without time limit and without payment, to change it, and to combine it with other work. Unless creator and collaborator agree otherwise in writing, the collaborator keeps the copyright in the contribution.',
        'These licences cover work on the song. They do not divide its ownership or income: publishing, royalties and credits are for you to agree on, in writing, before you release. Roughmix is not a party to that agreement.',
        'Viewers receive no licence other than to listen, and to download where the creator allows it.',
      ],
    },
    {
      id: 'forking',
      title: 'Forking',
      blocks: [
        'Where a creator allows it, members may make a fork of a project. The fork belongs to the member who made it; the copied content does not. A fork must name the project that it came from.',
        'The Private Remix License applies while a fork stays private: you may remix the copied content for yourself and for the people you invite, to learn, to try ideas and to propose them to the creator. You may not publish, distribute, sell or stream it, nor set the fork to Public.',
        'To set a fork to Public or to release it, you need the permission of the creator and of every collaborator whose contribution it contains.',
      ],
    },
    {
      id: 'samples',
      title: 'Samples and other people’s work',
      blocks: [
        'Upload only what you may share. If a project contains samples, loops or a cover, clear the rights first and tell your collaborators about them.',
      ],
    },
    {
      id: 'leaving',
      title: 'Leaving and removal',
      blocks: [
        'Members may leave a project at any time, and the creator may remove them. Contributions that are already in the project stay there under the collaborator licence. When a creator removes a project, it is withdrawn from groups and collections.',
      ],
    },
    {
      id: 'community',
      title: 'In groups and messages',
      blocks: [
        [
          'Unfinished work is shared in trust: do not pass it on.',
          'Criticise the song, not the person.',
          'No harassment, hate, threats, sexual content about others, or spam.',
          'A group’s owner may remove posts and members.',
        ],
        'Report what breaks these rules through the [contact form](/contact). We may remove content, limit features or close accounts. Notices about copyright are described in the [Terms of Use](/terms#copyright).',
      ],
    },
    {
      id: 'changes',
      title: 'Changes',
      blocks: ['Changes to these terms are announced as the [Terms of Use](/terms#changes) say.'],
    },
  ],
};
