import type { ComponentType } from 'preact'
import type { Scope } from '../api/session-state.ts'
import type { IconName } from '../parts/icons.ts'

export type PageComponent = ComponentType<{ params: Readonly<Record<string, string>> }>

export interface StudioPage {
  /** Below `/studio`, with parameters: `/templates/:id`. */
  path: string
  /** In the navigation and in titles. */
  name: string
  /** The page is a file of its own, which is loaded when it is opened. */
  load: () => Promise<PageComponent>
  /** The API key needs one of these. */
  scopes?: readonly Scope[]
  /** Its place in the navigation, and the key that goes there after `g`. */
  nav?: { icon: IconName; key: string }
}

/** Every page of the studio. The navigation has them in this order. */
export const pages: readonly StudioPage[] = [
  {
    path: '/',
    name: 'Home',
    nav: { icon: 'house', key: 'h' },
    load: () => import('../pages/home/home-page.tsx').then((page) => page.HomePage),
  },
  {
    path: '/templates',
    name: 'Templates',
    nav: { icon: 'file-text', key: 't' },
    scopes: ['templates:read'],
    load: () => import('../pages/templates/templates-page.tsx').then((page) => page.TemplatesPage),
  },
  {
    path: '/templates/:id',
    name: 'Editor',
    scopes: ['templates:read'],
    load: () => import('../pages/editor/editor-page.tsx').then((page) => page.EditorPage),
  },
  {
    path: '/templates/:id/versions',
    name: 'Versions',
    scopes: ['templates:read'],
    load: () => import('../pages/versions/versions-page.tsx').then((page) => page.VersionsPage),
  },
  {
    path: '/generations',
    name: 'Generations',
    nav: { icon: 'printer', key: 'n' },
    scopes: ['generations:read'],
    load: () => import('../pages/generations/generations-page.tsx').then((page) => page.GenerationsPage),
  },
  {
    path: '/generations/:id',
    name: 'Generation',
    scopes: ['generations:read'],
    load: () => import('../pages/generations/generation-page.tsx').then((page) => page.GenerationPage),
  },
  {
    path: '/generations/:id/compare',
    name: 'Compare documents',
    scopes: ['generations:read'],
    load: () => import('../pages/generations/compare/compare-page.tsx').then((page) => page.ComparePage),
  },
  {
    path: '/deliveries',
    name: 'Deliveries',
    nav: { icon: 'send', key: 'd' },
    scopes: ['generations:read'],
    load: () => import('../pages/deliveries/deliveries-page.tsx').then((page) => page.DeliveriesPage),
  },
  {
    path: '/events',
    name: 'Events',
    nav: { icon: 'activity', key: 'e' },
    scopes: ['admin'],
    load: () => import('../pages/events/events-page.tsx').then((page) => page.EventsPage),
  },
  {
    path: '/dead-letters',
    name: 'Dead letters',
    nav: { icon: 'inbox', key: 'l' },
    scopes: ['admin'],
    load: () => import('../pages/dead-letters/dead-letters-page.tsx').then((page) => page.DeadLettersPage),
  },
  {
    path: '/keys',
    name: 'Keys',
    nav: { icon: 'key-round', key: 'k' },
    scopes: ['admin'],
    load: () => import('../pages/keys/keys-page.tsx').then((page) => page.KeysPage),
  },
]
