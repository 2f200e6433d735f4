import { Type } from 'typebox'
import { PartialCommand } from '../partial/partial.ts'
import { TemplateCommand } from './template.ts'

/** Every command that the template service executes. */
export const TemplateServiceCommand = Type.Union([TemplateCommand, PartialCommand])
export type TemplateServiceCommand = TemplateCommand | PartialCommand
