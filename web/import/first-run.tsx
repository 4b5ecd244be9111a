import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { preferences } from '../api/preferences.ts'
import { me } from '../api/queries.ts'
import { keepSamples } from '../api/samples.ts'
import { makeTables, type NewRecord, type NewTable } from '../api/structure.ts'
import { useWords } from '../i18n/words.ts'
import { Choice } from '../ui/choice.tsx'
import { Head } from '../ui/head.tsx'
import { Icon } from '../ui/icon.tsx'
import { useTrouble } from '../ui/trouble.tsx'
import { FilePlace } from './bring.tsx'
import { customers } from './customers.ts'
import { MakeTable } from './make-table.tsx'
import { offerFile } from './offered.ts'
import { valueOf, type Template } from './template.ts'
import './import.css'
import './first-run.css'

/** The first page of an administrator while there is no table: three ways to begin. */
export function FirstRun() {
  const say = useWords()
  const trouble = useTrouble()
  const navigate = useNavigate()
  const name = String(useQuery(me).data?.data.attributes['fio'] ?? '')
  const [error, setError] = useState<unknown>()
  const [isMaking, setMaking] = useState(false)

  async function make(category: string | undefined, tables: readonly NewTable[], records: readonly NewRecord[]): Promise<void> {
    setMaking(true)
    setError(undefined)
    try {
      const made = await makeTables(category, tables, records)
      if (made.batch !== null) await keepSamples(made.batch)
      await navigate({ to: '/t/$table', params: { table: made.tables[0]! } })
    } catch (failure) {
      setError(failure)
      setMaking(false)
    }
  }
  return (
    <>
      <Head title={say('startTitle')} />
      <div className="first-run">
        <div className="first-lead">
          <h2>{say('startQuestion', { name })}</h2>
          <p>{say('startLead')}</p>
        </div>
        {error !== undefined && (
          <div className="note bad" role="alert">
            <Icon name="alert" />
            <span className="grow">
              {say('startNotMade')} {trouble(error)}
            </span>
          </div>
        )}
        <FilePlace
          title={say('importBring')}
          onFile={(file) => {
            offerFile(file)
            void navigate({ to: '/import', search: {} })
          }}
        />
        <TemplatePlace template={customers} isMaking={isMaking} onMake={(...wish) => void make(...wish)} />
        <MakeTable isMaking={isMaking} onMake={(table) => void make(undefined, [table], [])} />
      </div>
    </>
  )
}

function TemplatePlace({
  template,
  isMaking,
  onMake,
}: {
  readonly template: Template
  readonly isMaking: boolean
  readonly onMake: (category: string, tables: readonly NewTable[], records: readonly NewRecord[]) => void
}) {
  const say = useWords()
  const [contents, setContents] = useState<'samples' | 'empty'>('samples')
  const at = preferences().language === 'ru' ? 1 : 0
  return (
    <section aria-label={say('startTemplate')}>
      <div className="row between wrap">
        <h2>{say('startTemplate')}</h2>
        <Choice
          name={say('startContents')}
          value={contents}
          options={[
            ['samples', say('startSamples')],
            ['empty', say('startEmpty')],
          ]}
          onChoose={setContents}
        />
      </div>
      <div className="template">
        <div className="template-what">
          <b>{template.category[at]}</b>
          <p>{template.about[at]}</p>
          <button
            type="button"
            className="button line big"
            disabled={isMaking}
            onClick={() => onMake(template.category[at], tablesOf(template, at), contents === 'samples' ? recordsOf(template) : [])}
          >
            {say(isMaking ? 'startMaking' : 'startUse')}
          </button>
        </div>
        <ul>
          {template.tables.map(({ key, name, icon, fields }) => (
            <li key={key}>
              <Icon name={icon} />
              <span className="grow">{name[at]}</span>
              <span className="quiet">{say('startFields', { count: fields.length })}</span>
            </li>
          ))}
        </ul>
      </div>
      <p className="quiet">{say('startTemplateHint')}</p>
    </section>
  )
}

const tablesOf = ({ tables }: Template, at: 0 | 1): readonly NewTable[] =>
  tables.map(({ name, fields }) => ({
    name: name[at],
    fields: fields.map(({ name: title, type, required, section, options, to }) => ({
      name: title[at],
      type,
      ...(required && { required }),
      ...(section && { section: section[at] }),
      ...(options && { options: options.map((label) => label[at]) }),
      ...(to !== undefined && { to: tables.findIndex(({ key }) => key === to) }),
    })),
  }))

function recordsOf({ tables, samples }: Template): readonly NewRecord[] {
  const { language } = preferences()
  const today = new Date()
  return samples.map(({ table, values, links = {} }) => {
    const at = tables.findIndex(({ key }) => key === table)
    const { fields } = tables[at]!
    const place = (name: string) => fields.findIndex(({ key }) => key === name)
    return {
      table: at,
      values: new Map(Object.entries(values).map(([name, value]) => [place(name), valueOf(value, fields[place(name)]!, language, today)])),
      links: new Map(Object.entries(links).map(([name, to]) => [place(name), samples.findIndex(({ key }) => key === to)])),
    }
  })
}
