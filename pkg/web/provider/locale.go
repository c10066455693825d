package provider

import (
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
)

// noCountry is the warning of an engine that cannot search by a country.
func noCountry(p provider, country string) fault.Text {
	return fault.T("%s cannot search by country %s: that was left out; name the place in the query", p.name(), country)
}

// noLanguage is the warning of an engine that cannot search by a language.
func noLanguage(p provider, language string) fault.Text {
	return fault.T("%s cannot search by language %s: that was left out; write the query in that language", p.name(), language)
}

// noNews is the warning of an engine without a search for news.
func noNews(p provider) fault.Text {
	return fault.T("%s has no search for news: these are pages of all kinds; freshness limits their age", p.name())
}

// among returns the word of a list that is or begins with "key=", without that; ""
// if there is none.
func among(list, key string) string {
	for word := range strings.FieldsSeq(list) {
		if name, value, ok := strings.Cut(word, "="); name == key {
			if ok {
				return value
			}
			return name
		}
	}
	return ""
}

// What Brave knows: two letters of a country, and its own names for languages,
// https://api-dashboard.search.brave.com/app/documentation/web-search/codes.
const (
	braveCountries = "AR AU AT BE BR CA CL DK FI FR DE HK IN ID IT JP KR MY MX NL NZ NO CN PL PT PH RU SA ZA ES SE CH TW TR GB US"
	braveLanguages = "ar eu bn bg ca zh=zh-hans hr cs da nl en et fi fr gl de gu he hi hu is it ja=jp kn ko lv lt ms ml mr nb no=nb nn=nb " +
		"pl pt=pt-br pa ro ru sr sk sl es sv ta te th tr uk vi"
)

// brave returns Brave's values; "" is none.
func (q Query) brave() (country, language string) {
	country, language = among(braveCountries, q.Country), among(braveLanguages, q.Language)
	switch {
	case language == "zh-hans" && (q.Country == "TW" || q.Country == "HK"):
		language = "zh-hant"
	case language == "pt-br" && q.Country == "PT":
		language = "pt-pt"
	}
	return country, language
}

// googleLanguages are the languages that Google limits results to,
// https://developers.google.com/custom-search/v1/reference/rest/v1/cse/list (lr).
const googleLanguages = "ar bg ca cs da de el en es et fi fr hr hu id is it he=iw iw ja ko lt lv nl no nb=no nn=no pl pt ro ru sk sl sr sv tr zh=zh-CN"

// google returns Google's name for the language, "" if it knows none.
func (q Query) google() string {
	language := among(googleLanguages, q.Language)
	if language == "zh-CN" && (q.Country == "TW" || q.Country == "HK") {
		return "zh-TW"
	}
	return language
}

// tavilyCountries are the names that Tavily has for countries, spaces as _,
// https://docs.tavily.com/documentation/api-reference/endpoint/search (country).
const tavilyCountries = "AE=united_arab_emirates AF=afghanistan AL=albania AM=armenia AR=argentina AT=austria AU=australia AZ=azerbaijan BA=bosnia_and_herzegovina " +
	"BD=bangladesh BE=belgium BG=bulgaria BH=bahrain BO=bolivia BR=brazil BY=belarus CA=canada CH=switzerland CL=chile CM=cameroon CN=china CO=colombia " +
	"CR=costa_rica CU=cuba CY=cyprus CZ=czech_republic DE=germany DK=denmark DO=dominican_republic DZ=algeria EC=ecuador EE=estonia EG=egypt ES=spain " +
	"ET=ethiopia FI=finland FR=france GB=united_kingdom GE=georgia GH=ghana GR=greece GT=guatemala HN=honduras HR=croatia HU=hungary ID=indonesia IE=ireland " +
	"IL=israel IN=india IQ=iraq IR=iran IS=iceland IT=italy JM=jamaica JO=jordan JP=japan KE=kenya KH=cambodia KR=south_korea KW=kuwait KZ=kazakhstan " +
	"LB=lebanon LK=sri_lanka LT=lithuania LU=luxembourg LV=latvia LY=libya MA=morocco MC=monaco MD=moldova ME=montenegro MM=myanmar MN=mongolia MT=malta " +
	"MX=mexico MY=malaysia NG=nigeria NI=nicaragua NL=netherlands NO=norway NP=nepal NZ=new_zealand OM=oman PA=panama PE=peru PH=philippines PK=pakistan " +
	"PL=poland PT=portugal PY=paraguay QA=qatar RO=romania RS=serbia RU=russia SA=saudi_arabia SE=sweden SG=singapore SI=slovenia SK=slovakia SN=senegal " +
	"SV=el_salvador SY=syria TH=thailand TN=tunisia TR=turkey TW=taiwan TZ=tanzania UA=ukraine UG=uganda US=united_states UY=uruguay UZ=uzbekistan " +
	"VE=venezuela VN=vietnam YE=yemen ZA=south_africa ZM=zambia ZW=zimbabwe"

// tavily returns Tavily's name for the country, "" if it knows none.
func (q Query) tavily() string {
	return strings.ReplaceAll(among(tavilyCountries, q.Country), "_", " ")
}

// duckRegions are DuckDuckGo's regions, each after the country and the language that it
// stands for where it is named otherwise; the usual country of a language comes first.
const duckRegions = "us-en de-de fr-fr es-es br-pt it-it nl-nl jp-ja=jp-jp kr-ko=kr-kr cn-zh ru-ru sa-ar=xa-ar se-sv no-no dk-da fi-fi pl-pl cz-cs gr-el hu-hu " +
	"tr-tr ro-ro bg-bg hr-hr sk-sk si-sl=sl-sl ee-et lt-lt lv-lv is-is il-he ua-uk id-id th-th=th-en vn-vi=vn-en my-ms ph-tl gb-en=uk-en ca-en ca-fr au-en " +
	"nz-en ie-en in-en za-en sg-en pk-en id-en my-en ph-en at-de ch-de ch-fr ch-it be-nl be-fr es-ca ar-es cl-es co-es mx-es pe-es ve-es us-es pt-pt " +
	"hk-zh=hk-tzh tw-zh=tw-tzh ae-ar=xa-ar dz-ar=xa-ar eg-ar=xa-ar jo-ar=xa-ar"

// duck returns DuckDuckGo's region for the country and the language, and whether it
// stands for what is asked; "" is none.
func (q Query) duck() (region string, exact bool) {
	country, language := strings.ToLower(q.Country), q.Language
	if language == "nb" || language == "nn" {
		language = "no"
	}
	for one := range strings.FieldsSeq(duckRegions) {
		of, name, other := strings.Cut(one, "=")
		if !other {
			name = of
		}
		c, l, _ := strings.Cut(of, "-")
		switch {
		case country != "" && c == country && (language == "" || l == language):
			return name, true
		case region == "" && (country != "" && c == country || country == "" && l == language):
			region = name
		}
	}
	return region, false
}
