/** Common passwords of eight or more characters, in lower case. */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  `
12345678 123456789 1234567890 12345678910 123456789a 12345678a 0123456789 012345678 987654321 87654321 9876543210 0987654321 1234567891 123123123 12341234 12344321 11223344 1122334455
112233445566 11112222 11111111 111111111 1111111111 22222222 33333333 44444444 55555555 66666666 77777777 88888888 888888888 99999999 999999999 00000000 000000000 0000000000 12121212
13131313 10101010 20202020 69696969 42424242 31415926 3141592654 14141414 147258369 147852369 159753456 741852963 963852741 123654789 123698745 789456123 789456123a 456789123 102030405060
123qweasd 123qweasdzxc 123qwe123 1234qwer 12345qwert 123456qwerty 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx 1qaz2wsx3edc 1qazxsw2 1qaz1qaz 1qazxsw23edc 2wsx3edc q1w2e3r4 q1w2e3r4t5 q1w2e3r4t5y6
zaq12wsx zaq1zaq1 zaq1xsw2 qazwsxedc qazwsx123 qazxswedc qweasdzxc qwe123qwe qweqweqwe qweasd123 qwer1234 qwert123 qwert12345 qwerty12 qwerty123 qwerty1234 qwerty12345 qwerty123456 qwerty1! qwertyui
qwertyuiop qwertyuiop123 qwertz123 qwertzui qwertzuiop azertyui azertyuiop azerty123 asdfghjk asdfghjkl asdfghjkl123 asdf1234 asdfasdf asdfqwer asdasdasd asd123asd asdqwe123 zxcvbnm1 zxcvbnm123
zxcvbnma zxcvzxcv zxczxczxc zxasqw12 poiuytrewq lkjhgfdsa mnbvcxz1 mnbvcxzlkjhgfdsapoiuytrewq abcd1234 abc12345 abc123456 abcabcabc abcdefgh abcdefghi abcdefg1 abcdef123 abcd12345 a1234567 a12345678
a123456789 a1b2c3d4 a1b2c3d4e5 aa123456 aa12345678 aaa111111 aaaa1111 aaaaaaaa aaaaaaaaaa a123123123 q1234567 q12345678 q123456789 z1234567 s1234567 w1234567 m1234567 x1234567
password password1 password2 password3 password4 password5 password6 password7 password8 password9 password0 password01 password10 password11 password12 password13 password99 password123
password1234 password12345 password123456 password! password1! password123! password@1 password@123 password. password1. passwords passw0rd passw0rd1 passw0rd! passw0rd123 p@ssw0rd p@ssw0rd1
p@ssw0rd! p@ssw0rd123 p@ssword p@ssword1 p@ssword123 pa$$word pa$$w0rd pa55word pa55w0rd pass1234 pass12345 pass123456 passpass passport passwort passwort1 passwort123 motdepasse motdepasse1
contrasena contraseña senha123 parola123 wachtwoord wachtwoord1 haslo123 salasana drowssap mypassword yourpassword mypass123 newpassword newpass123 oldpassword nopassword thispassword
changeme changeme1 changeme123 changeit changepassword letmein1 letmein123 letmein12 letmeinnow welcome1 welcome12 welcome123 welcome1234 welcome2020 welcome2021 welcome2022 welcome2023 welcome2024
welcome2025 welcome! welcome1! welcome@123 administrator admin123 admin1234 admin12345 admin123456 adminadmin admin@123 adminpass adminpassword rootroot root1234 toor1234 test1234 test12345 test123456
testtest testing1 testing123 tester123 testpass testpassword temp1234 temppass temppassword temporary default1 default123 defaultpassword guest123 guestguest user1234 user12345 username username1
demo1234 demodemo sample123 secret123 secret12 secretpassword mysecret topsecret topsecret1 access14 access123 accessdenied qwaszx12 master123 master12 masterkey superman superman1 superman123 batman123
batman12 spiderman spiderman1 ironman1 ironman123 wolverine starwars starwars1 starwars123 startrek startrek1 skywalker darthvader jedimaster pokemon1 pokemon123 pikachu1 pikachu123 minecraft minecraft1
minecraft123 nintendo nintendo1 playstation playstation1 gameover runescape runescape1 warcraft warcraft1 starcraft counterstrike callofduty fortnite fortnite1 roblox123
iloveyou iloveyou1 iloveyou2 iloveyou3 iloveyou12 iloveyou123 iloveyou! iloveu123 ilovegod ilovejesus iloveme1 ilovehim ilovemom ilovemymom ilovemyself loveyou1 loveyou2 lovelove lovelove1 lovelife
loveless lovelyme lover123 loveme123 loveisblind truelove truelove1 forever1 foreverlove mylove123 sweetheart sweetheart1 sweetie1 sweety123 beautiful beautiful1 princess princess1 princess12 princess123
prince123 queen123 babygirl babygirl1 babygirl12 babygirl123 babyboy1 babybaby babydoll sunshine sunshine1 sunshine12 sunshine123 sunflower sunflower1 rainbow1 rainbow123 butterfly butterfly1 flower123
flowers1 blossom1 strawberry strawberry1 chocolate chocolate1 chocolate123 cupcake1 cookie123 cookies1 pumpkin1 peanut123 peaches1 banana123 bananas1 cherry123 orange123 vanilla1 blueberry pineapple
football football1 football12 football123 baseball baseball1 baseball123 basketball basketball1 soccer123 soccer12 hockey123 volleyball liverpool liverpool1 liverpoolfc chelsea1 chelsea123 chelseafc arsenal1
arsenal123 barcelona barcelona1 fcbarcelona realmadrid realmadrid1 manchester manchesterunited manunited juventus juventus1 galatasaray fenerbahce besiktas cowboys1 steelers steelers1 packers1 patriots
yankees1 yankees123 lakers24 redsox123 dolphins dolphins1 dolphin1 eagles123 raiders1 broncos1
computer computer1 computer123 internet internet1 internet123 keyboard samsung1 samsung123 samsung12 microsoft microsoft1 windows1 windows10 windowsxp linux123 google123 googlegoogle facebook facebook1
facebook123 myspace1 myspace123 youtube1 youtube123 instagram twitter1 twitter123 whatsapp linkedin linkedin1 hotmail1 hotmail123 yahoo123 apple123 macintosh android1 security security1 security123
michael1 michael12 michael123 michelle michelle1 jennifer jennifer1 jessica1 jessica123 jessica12 jonathan jonathan1 jordan23 jordan123 jordan12 daniel123 daniel12 danielle danielle1 alexander alexander1
alexandra alexander123 alexander12 alexandre alejandro alejandra andrew123 andrew12 anthony1 anthony123 anthony12 ashley123 ashley12 amanda123 benjamin benjamin1 brandon1 brandon123 brittany brittany1
charles1 charlie1 charlie12 charlie123 christian christian1 christine christina christina1 christopher christopher1 catherine elizabeth elizabeth1 fernando fernanda francisco gabriel1 gabriel123
gabriela gabriella george123 giovanni guillermo hannah123 isabella isabella1 jasmine1 jasmine123 joseph123 joshua123 joshua12 joshua01 katherine kimberly lauren123 leonardo madison1 madison123 margaret
martin123 matthew1 matthew123 matthew12 melissa1 melissa123 nathalie natalie1 natasha1 nicholas nicholas1 nicole123 nicole12 patricia patrick1 patrick123 rebecca1 rebecca123 richard1 richard123 robert123
robert12 roberto1 samantha samantha1 samantha123 savannah sebastian sebastian1 stephanie stephanie1 stephen1 steven123 thomas123 thomas12 valentina vanessa1 vanessa123 veronica victoria victoria1
victoria123 william1 william123 zachary1 muhammad mohammed mohamed1 mohammad abdullah
dragon123 dragon12 dragonball dragonball1 dragons1 monkey123 monkey12 monkey01 monkeys1 shadow123 shadow12 mustang1 mustang123 corvette corvette1 porsche1 porsche911 ferrari1 mercedes mercedes1 mercedesbenz
bmw12345 hondacivic harley123 harleydavidson ducati123 yamaha123 suzuki123 chevrolet chevelle camaro69 trustno1 trustno12 trustnoone whatever whatever1 whatever123 nothing1 nothing123 anything something
fuckyou1 fuckyou2 fuckyou12 fuckyou123 fuckyou! fuckoff1 fuckfuck fuckthis fucking1 fucker123 bullshit asshole1 asshole123 bitch123 bitches1 biteme123 blowjob1 pornstar sexysexy sexy1234 sexygirl sexybitch
hello123 hello1234 hello12345 hellohello helloworld hello2you hellokitty hellokitty1 goodbye1 goodluck goodmorning morning1 midnight midnight1 tomorrow yesterday birthday birthday1 christmas christmas1
halloween halloween1 november november1 december december1 september september1 october1 october123 august123 january1 february summer01 summer12 summer123 summer2020 summer2021 summer2022 summer2023
summer2024 summer2025 summer99 winter12 winter123 winter2020 winter2021 winter2022 winter2023 winter2024 winter2025 spring123 spring2021 spring2022 spring2023 spring2024 autumn2021 autumn2022 monday123 friday123
freedom1 freedom123 freedom12 america1 america123 england1 england123 scotland ireland1 germany1 deutschland schalke04 borussia bundesliga australia brasil123 argentina colombia venezuela california california1
newyork1 newyork123 newyorkcity london123 london12 paris123 amsterdam istanbul chicago1 lasvegas hollywood hollywood1 philippines singapore indonesia malaysia pakistan pakistan1 pakistan123 india123 canada123
jesus123 jesuschrist jesus4ever jesusislord jesus777 jesusloves ilovejesus1 godisgood godislove godbless blessed1 blessings christ123 heavenly paradise angel123 angels123 angelina angelica angelofdeath
lucky123 lucky777 lucky1234 happy123 happy1234 happyday happiness smile123 smiley123 friends1 friends123 friendship bestfriend bestfriends family123 familyfirst mother123 mommy123 daddy123 daddysgirl grandma1
mickey123 mickeymouse minnie123 tinkerbell tinkerbell1 snoopy123 garfield garfield1 scooby123 scoobydoo spongebob spongebob1 simpsons simpsons1 southpark barbie123 harrypotter harrypotter1 hogwarts gandalf1
lordoftherings matrix123 terminator predator predator1 killer123 killer12 hunter123 hunter12 ranger123 soldier1 warrior1 warriors marines1 airforce military scorpion scorpion1 phoenix1 phoenix123 firebird
thunder1 thunder123 lightning blizzard hurricane volcano1 diamond1 diamond123 diamonds platinum silver123 golden123 emerald1 crystal1 crystal123 sapphire bluebird blackbird blackcat blackjack blackberry
blue1234 purple123 purple12 yellow123 green123 greenday greenday1 metallica metallica1 nirvana1 nirvana123 slipknot slipknot1 slipknot666 linkinpark linkinpark1 eminem123 eminem12 beatles1 rocknroll rockstar
rockstar1 rockyou1 rockyou123 rock1234 music123 musicman musiclover musica123 mymusic1 guitar123 guitar12 guitarman guitarist drummer1 drums123 bassplayer fender123 stratocaster lespaul1 gibson123 zeppelin
ledzeppelin pinkfloyd acdc1234 rammstein megadeth ironmaiden ironmaiden1 deathmetal hiphop123 rapper123 studio123 recording producer roughmix roughmix1 roughmix123
ginger123 ginger12 buster123 buddy123 buddy1234 buddyboy maggie123 molly123 bailey123 bailey12 tigger123 tigger12 tiger123 tigers123 lion1234 elephant elephant1 panther1 panthers cheetah1 kittycat kitty123
kittens1 doggy123 puppies1 puppy123 chicken1 chicken123 chickens snowball snowball1 snowflake snowman1 sparky123 pepper123 pepper12 marley123 mercury1 jupiter1 saturn123 galaxy123 universe spaceman
apollo11 apollo13 challenger discovery enterprise voyager1 explorer traveler navigator captain1 commander president president1 einstein einstein1 shakespeare napoleon cleopatra columbus washington jefferson
abcd123456 abcdefghij abcdefghijk 1a2b3c4d 1a2b3c4d5e 1g2w3e4r gwerty123 g_czechout xbox360a xxxxxxxx zzzzzzzz qqqqqqqq wwwwwwww ssssssss dddddddd mmmmmmmm aaaaaaa1 a1a1a1a1 qq123456 ww123456 zz123456 as123456
woaini1314 woaini520 5201314520 52013140 wang1234 li123456 zhang123 asd12345 asd123456 qwe12345 qwe123456 zxc12345 zxc123456 zxcv1234 q1q1q1q1 fyfcnfcbz gfhjkm123 ytrewq123 marina123 natasha123
nokia6300 nokia5800 sony1234 sonyericsson motorola motorola1 blackberry1 toshiba1 lenovo123 panasonic hewlettpackard cisco123 oracle123 scott123 tiger1234 mysql123 postgres postgres1 database letmein! opensesame
`
    .trim()
    .split(/\s+/),
);
